package load

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"gpupipe/frontend/cxx"
	"gpupipe/frontend/source"
)

// Config says what to parse. File, Text and Dialect are required.
type Config struct {
	File     string         // name for positions
	Text     string         // the source
	Dialect  source.Dialect //
	Defines  []string       // as after -D: "NAME" or "NAME=VALUE"
	Undefs   []string       // as after -U
	Includes []string       // names of files included before the text (--include)
	// Templates are arguments of kernel templates (CUDA): "T=float,N=16" for
	// every kernel that has such parameters, or "kernel:T=float,N=16". A kernel
	// without any takes the arguments that the host code of the file launches it
	// with, else its parameters' defaults, else float, true and 16, with a note.
	Templates []string
	// FS resolves #include. Paths are slash-separated and relative to it. nil =
	// no file can be included.
	FS fs.FS
	// IncludePaths are directories of FS searched for #include, after the
	// directory of the including file.
	IncludePaths []string
	// Architecture is the GPU's as its vendor calls it, a compute capability ("8.6") or
	// "gfx90a": what __CUDA_ARCH__ and clang's macros for AMD's GPUs say. Of no device
	// (empty, or another vendor's), CUDA C has the macros of 7.0. -D has the last word.
	Architecture string
	// SinglePrecision makes unsuffixed floating literals float instead of
	// double (-cl-single-precision-constant).
	SinglePrecision bool
}

// Validate reports what is wrong with a configuration.
func (cfg *Config) Validate() error {
	var errs []error
	if cfg.File == "" {
		errs = append(errs, errors.New("frontend: Config.File is empty"))
	}
	if cfg.Dialect != source.OpenCL && cfg.Dialect != source.CUDA {
		errs = append(errs, fmt.Errorf("frontend: Config.Dialect is %v", cfg.Dialect))
	}
	for _, d := range append(append([]string(nil), cfg.Defines...), cfg.Undefs...) {
		if d == "" || strings.HasPrefix(d, "=") {
			errs = append(errs, fmt.Errorf("frontend: macro definition %q has no name", d))
		}
	}
	for _, t := range cfg.Templates {
		if _, err := cxx.ParseBinding(t); err != nil {
			errs = append(errs, fmt.Errorf("frontend: %w", err))
		}
	}
	return errors.Join(errs...)
}
