package resolve

import (
	"sync"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/launches"
	"gpupipe/frontend/preprocess"
	"gpupipe/frontend/source"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Config is [source.Config].
type Config = source.Config

// Parse preprocesses, parses and resolves a file. A kernel with an error does not keep the others from being used: it
// is listed in Unit.Broken. If no kernel is usable, the error, a diag.List, holds what was wrong with all of them. A
// defect of this package that a source brings out is an error too, which asks for a report.
func Parse(cfg Config) (*ast.Unit, error) {
	unit, _, err := Read(cfg)
	return unit, err
}

// Read is Parse that also returns what it has resolved.
func Read(cfg Config) (unit *ast.Unit, reading *Reading, err error) {
	if err := cfg.Validate(); err != nil {
		return nil, nil, err
	}
	defer func() {
		if x := recover(); x != nil {
			e := diag.Errorf(diag.Pos{File: cfg.File}, diag.CodeInternal, "the source cannot be read: %v", x)
			_ = e.WithNote("this is a defect of the frontend; please report it with the source")
			unit, reading, err = nil, nil, diag.List{e}
		}
	}()
	r := cfg.Tokens(false)
	if err := r.Errors.Err(); err != nil {
		return nil, nil, err
	}
	c := newChecker(&cfg)
	c.skipped = r.Skipped
	c.unit.Warnings.Add(r.Warnings...)
	if err := c.readBindings(); err != nil {
		return nil, nil, err
	}
	file := c.parse(r)
	if cfg.Dialect == ast.CUDA && launches.Any(r) {
		c.host = file
		if source.AsksForDevice(r) {
			h := cfg.Tokens(true)
			c.host = c.parse(h)
		}
	}
	unit, err = c.unitOf(file)
	return unit, &Reading{r, file, c.isLanguageType}, err
}

// Reading is a file before names are resolved.
type Reading struct {
	Tokens *preprocess.Result
	File   *syntax.File
	IsType func(name string) bool // of the language's own types
}

// parse makes the tree of tokens, while nothing but the language's own names is declared.
func (c *checker) parse(r *preprocess.Result) *syntax.File {
	o := c.syntaxOptions()
	if len(r.Before) > 0 {
		before, ok := prefixes.Load(&r.Before[0])
		if !ok {
			first := newChecker(&Config{Dialect: c.cfg.Dialect}) // which stays as it is
			before, _ = prefixes.LoadOrStore(&r.Before[0], syntax.ParsePrefix(r.Before, first.syntaxOptions()))
		}
		o.Prefix = before.(*syntax.Prefix)
	}
	return syntax.Parse(r.Tokens, o)
}

// prefixes are the trees of tokens in front of programs (preprocess.Result.Before), by the first of them.
var prefixes sync.Map

func (c *checker) syntaxOptions() syntax.Options {
	language := syntax.OpenCL
	if c.cfg.Dialect == ast.CUDA {
		language = syntax.CUDA
	}
	return syntax.Options{Language: language, IsType: c.isLanguageType}
}
