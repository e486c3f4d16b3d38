package source

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/preprocess"
	"gpupipe/internal/target"
)

// Config says what to read. File, Text and Dialect are required.
type Config struct {
	File            string // name for positions
	Text            string
	Dialect         ast.Dialect
	Defines         []string // as after -D
	Undefs          []string // as after -U
	Includes        []string // names of files included before the text
	Templates       []string // arguments of kernel templates
	CommandLine     []string // arguments with which host code is run; nil = not known
	FS              fs.FS    // resolves #include; nil = no file can be included
	IncludePaths    []string
	Target          target.Target // the unit's; macros follow its capability
	SinglePrecision bool          // unsuffixed floating literals are float
}

// Validate reports what is wrong with a configuration.
func (cfg *Config) Validate() error {
	var errs []error
	if cfg.File == "" {
		errs = append(errs, errors.New("frontend: Config.File is empty"))
	}
	if cfg.Dialect != ast.OpenCL && cfg.Dialect != ast.CUDA {
		errs = append(errs, fmt.Errorf("frontend: Config.Dialect is %v", cfg.Dialect))
	}
	for _, d := range append(slices.Clone(cfg.Defines), cfg.Undefs...) {
		if d == "" || strings.HasPrefix(d, "=") {
			errs = append(errs, fmt.Errorf("frontend: macro definition %q has no name", d))
		}
	}
	for _, t := range cfg.Templates {
		if _, err := ParseBinding(t); err != nil {
			errs = append(errs, fmt.Errorf("frontend: %w", err))
		}
	}
	return errors.Join(errs...)
}

// Binding is one of Config.Templates taken apart: NAME=VALUE of the parameters of
// one kernel, or of all where kernel is empty.
type Binding struct {
	Text   string
	Kernel string // empty: all
	Values map[string]string
}

// ParseBinding reads "T=float,N=16" or "kernel:T=float,N=16".
func ParseBinding(text string) (Binding, error) {
	b := Binding{Text: text, Values: map[string]string{}}
	if name, rest, ok := strings.Cut(text, ":"); ok && preprocess.IsName(name) && !strings.HasPrefix(rest, ":") {
		b.Kernel, text = name, rest
	}
	for _, part := range splitArguments(text) {
		name, value, _ := strings.Cut(part, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !preprocess.IsName(name) || value == "" {
			return b, fmt.Errorf("template arguments %q: NAME=VALUE expected, as in T=float,N=16", text)
		}
		b.Values[name] = value
	}
	if len(b.Values) == 0 {
		return b, fmt.Errorf("template arguments %q: NAME=VALUE expected, as in T=float,N=16", text)
	}
	return b, nil
}

// splitArguments splits a list of arguments at its commas, those in brackets aside.
func splitArguments(text string) (parts []string) {
	depth, start := 0, 0
	for i, r := range text {
		switch {
		case strings.ContainsRune("([{<", r):
			depth++
		case strings.ContainsRune(")]}>", r):
			depth--
		case r == ',' && depth == 0:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}
