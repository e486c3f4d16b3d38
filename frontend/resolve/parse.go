package resolve

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/embedded"
	"gpupipe/frontend/launches"
	"gpupipe/frontend/prelude"
	"gpupipe/frontend/preprocess"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
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
	FS              fs.FS    // resolves #include; nil = no file can be included
	IncludePaths    []string
	Target          target.Target // the unit's; macros follow its capability
	SinglePrecision bool          // unsuffixed floating literals are float
}

const (
	codeInternal = "INTERNAL" // a defect of this package that a source brings out
	codeEmbedded = "EMBEDDED" // the source is taken from a program's strings
)

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
		if _, err := parseBinding(t); err != nil {
			errs = append(errs, fmt.Errorf("frontend: %w", err))
		}
	}
	return errors.Join(errs...)
}

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
			e := diag.Errorf(diag.Pos{File: cfg.File}, codeInternal, "the source cannot be read: %v", x)
			_ = e.WithNote("this is a defect of the frontend; please report it with the source")
			unit, reading, err = nil, nil, diag.List{e}
		}
	}()
	r := cfg.preprocess(false)
	if err := r.Errors.Err(); err != nil {
		return nil, nil, err
	}
	c := newChecker(&cfg)
	c.skipped = r.Skipped
	c.unit.Warnings.Add(r.Warnings...)
	if err := c.readBindings(); err != nil {
		return nil, nil, err
	}
	file := c.parse(r.Tokens)
	if cfg.Dialect == ast.CUDA && launches.Any(r) {
		c.host = file
		if asksForDevice(r) {
			h := cfg.preprocess(true)
			c.host = c.parse(h.Tokens)
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

// deviceMacros tell the device's compilation from the host's.
var deviceMacros = []string{"__CUDA_ARCH__", "__HIP_DEVICE_COMPILE__"}

// asksForDevice reports whether a program looks different to the host's compiler.
func asksForDevice(r *preprocess.Result) bool {
	for name, text := range r.Files {
		if !diag.IsLibrary(name) && slices.ContainsFunc(deviceMacros,
			func(m string) bool { return strings.Contains(text, m) }) {
			return true
		}
	}
	return false
}

// preprocess makes the tokens of a file for the device's compiler or the host's.
func (cfg *Config) preprocess(host bool) *preprocess.Result {
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

// parse makes the tree of tokens, while nothing but the language's own names is declared.
func (c *checker) parse(list []preprocess.Token) *syntax.File {
	language := syntax.OpenCL
	if c.cfg.Dialect == ast.CUDA {
		language = syntax.CUDA
	}
	return syntax.Parse(list, syntax.Options{Language: language, IsType: c.isLanguageType})
}
