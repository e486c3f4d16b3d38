package resolve

import (
	"io/fs"

	"gpupipe/frontend/prelude"
	"gpupipe/frontend/preprocess"
	"gpupipe/frontend/syntax"
)

// Config says what to read. File, Text and Dialect are required.
type Config struct {
	File            string // name for positions
	Text            string
	Dialect         Dialect
	Defines         []string // as after -D
	Undefs          []string // as after -U
	Includes        []string // names of files included before the text
	Templates       []string // arguments of kernel templates
	FS              fs.FS    // resolves #include; nil = no file can be included
	IncludePaths    []string
	Architecture    string // the GPU's, as its vendor calls it
	SinglePrecision bool   // unsuffixed floating literals are float
}

// Parse preprocesses, parses and resolves a file.
func Parse(cfg Config) (*Unit, error) {
	before := []preprocess.File{{Name: "<macros>", Text: prelude.Macros(cfg.Dialect, cfg.Architecture)}}
	language := syntax.OpenCL
	if cfg.Dialect == CUDA {
		language = syntax.CUDA
		before = append(before, preprocess.File{Name: "<std>", Text: prelude.Std})
	}
	r := preprocess.Run(preprocess.Config{File: cfg.File, Text: cfg.Text, Defines: cfg.Defines, Undefs: cfg.Undefs, Includes: cfg.Includes,
		Before: before, FS: cfg.FS, IncludePaths: cfg.IncludePaths, Library: func(string) (string, bool) { return "", true }})
	if err := r.Errors.Err(); err != nil {
		return nil, err
	}
	types := newChecker(&cfg).file.names
	isType := func(name string) bool { return types[name] != nil && types[name].kind == symType }
	return Resolve(cfg, syntax.Parse(r.Tokens, syntax.Options{Language: language, IsType: isType}))
}
