package source

import (
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/embedded"
	"gpupipe/frontend/prelude"
	"gpupipe/frontend/preprocess"
	"gpupipe/internal/diag"
)

// codeEmbedded marks that the source is taken from a program's strings.
const codeEmbedded = "EMBEDDED"

// deviceMacros tell the device's compilation from the host's.
var deviceMacros = []string{"__CUDA_ARCH__", "__HIP_DEVICE_COMPILE__"}

// AsksForDevice reports whether a program looks different to the host's compiler.
func AsksForDevice(r *preprocess.Result) bool {
	for name, text := range r.Files {
		if !diag.IsLibrary(name) && slices.ContainsFunc(deviceMacros,
			func(m string) bool { return strings.Contains(text, m) }) {
			return true
		}
	}
	return false
}

// Tokens makes the tokens of a file for the device's compiler or the host's.
func (cfg *Config) Tokens(host bool) *preprocess.Result {
	var before []preprocess.File
	for _, f := range prelude.Before(cfg.Dialect, &cfg.Target) {
		before = append(before, preprocess.File(f))
	}
	undefs := cfg.Undefs
	if host {
		undefs = append(slices.Clone(undefs), deviceMacros...)
	}
	var note *diag.Error
	inside := func(name, text string) string {
		source, from, found := embedded.Source(name, text)
		if found && name == cfg.File && strings.TrimSpace(text[:from]) != "" {
			at := diag.Pos{File: name, Line: 1 + strings.Count(text[:from], "\n"),
				Column: from - strings.LastIndexByte(text[:from], '\n')}
			note = diag.Notef(at, codeEmbedded,
				"the kernels' source is taken from strings of this file; the program around them is left out")
		}
		return source
	}
	marks := []string{"__kernel", "kernel"}
	if cfg.Dialect == ast.CUDA {
		marks = []string{"__global__"}
	}
	r := preprocess.Run(preprocess.Config{File: cfg.File, Text: cfg.Text, Defines: cfg.Defines, Undefs: undefs,
		Includes: cfg.Includes,
		Before:   before, FS: cfg.FS, IncludePaths: cfg.IncludePaths, Inside: inside, Marks: marks,
		Lenient: cfg.Dialect == ast.CUDA, // most headers are the host's: what a kernel misses is reported there
		Library: cfg.header})
	if note != nil {
		r.Warnings.Add(note)
	}
	return r
}

// header is what stands for a library's header, which is CUDA C++; OpenCL C has those that are taken as empty.
func (cfg *Config) header(name string) (text string, ok bool) {
	text, ok = prelude.Header(name, cfg.Target.Capability)
	if cfg.Dialect == ast.OpenCL {
		return "", ok && text == ""
	}
	return text, ok
}
