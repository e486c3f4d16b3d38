package generate

import (
	"errors"
	"slices"
	"strings"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/diag"
	"gpupipe/internal/spelling"
)

// CodeKernel is the code of diagnostics about the choice of a kernel.
const CodeKernel = "KERNEL"

// Program is a source that has been parsed for a device.
type Program struct {
	Source *Source
	Unit   *ast.Unit
	// Reading is what the unit was made of, with Options.Strict, for package crosscheck.
	Reading *frontend.Reading

	options *Options
	codes   *codes
}

// config is what the frontend is told of a source.
func config(s *Source, o *Options) frontend.Config {
	return frontend.Config{
		File: s.File, Text: s.Text, Dialect: s.Dialect,
		Defines: s.Defines, Undefs: o.Undefs, Includes: o.Includes, Templates: o.Templates,
		CommandLine: o.CommandLine, Target: o.target(),
		SinglePrecision: o.SinglePrecision,
		FS:              o.FS, IncludePaths: o.IncludeDirs,
	}
}

// Preprocess runs the preprocessor alone.
func Preprocess(s *Source, o *Options) (*frontend.Preprocessed, error) {
	return frontend.Preprocess(config(s, o))
}

// Parse runs the frontend.
func Parse(s *Source, o *Options) (*Program, error) {
	if err := s.python(); err != nil {
		return nil, err
	}
	u, reading, err := frontend.Read(config(s, o))
	if errs, ok := errors.AsType[diag.List](err); ok {
		s.suspectDialect(errs)
	}
	if err != nil {
		return nil, err
	}
	p := &Program{Source: s, Unit: u, options: o, codes: &codes{}}
	if o.Strict {
		p.Reading = reading
	}
	return p, nil
}

// Choose returns the kernel of a name; of "" that which a built-in source stands for, else the only one.
func (p *Program) Choose(name string) (*ast.Function, error) {
	u, s := p.Unit, p.Source
	if name == "" {
		name = s.Function
	}
	if name == "" {
		return p.Only()
	}
	if fn := u.Kernel(name); fn != nil {
		return fn, nil
	}
	if b := u.BrokenKernel(name); b != nil {
		return nil, b.Err
	}
	names := kernelNames(u)
	if n := len(slices.DeleteFunc(slices.Clone(names), func(k string) bool { return !ast.IsCalled(k, name) })); n > 0 {
		e := diag.Errorf(diag.Pos{File: s.File}, CodeKernel,
			"there are %d kernels %s; choose one with -k NAME", n, name)
		return nil, withKernels(e, u, name)
	}
	e := diag.Errorf(diag.Pos{File: s.File}, CodeKernel, "there is no kernel %q", name)
	if hint := spelling.Known("kernels", name, names); hint != "" {
		e.WithNote("%s", hint)
	}
	return nil, e
}

// Only returns the kernel of a source that has one.
func (p *Program) Only() (*ast.Function, error) {
	u, s := p.Unit, p.Source
	switch len(u.Kernels) {
	case 0:
		if len(u.Broken) > 0 {
			return nil, u.Broken[0].Err
		}
		return nil, diag.Errorf(diag.Pos{File: s.File}, CodeKernel, "there is no kernel").
			WithNote("a kernel is a function declared __kernel (OpenCL) or __global__ (CUDA); this was read as %v",
				s.Dialect)
	case 1:
		return u.Kernels[0], nil
	}
	e := diag.Errorf(diag.Pos{File: s.File}, CodeKernel, "there are %d kernels; choose one with -k NAME",
		len(u.Kernels))
	return nil, withKernels(e, u, "")
}

// Unusable says which other kernels the source has that cannot be used, where one was taken since it
// is the only one that can.
func (p *Program) Unusable(taken *ast.Function) diag.List {
	u, s := p.Unit, p.Source
	if len(u.Broken) == 0 {
		return nil
	}
	e := diag.Warningf(diag.Pos{File: s.File}, CodeKernel, "kernel %s is taken, since no other can be used", taken.Name)
	for _, b := range u.Broken {
		_ = e.WithNote("-k %-20s line %d: says why not", shellWord(b.Name), b.Pos.Line)
	}
	return diag.List{e}
}

// withKernels adds to an error which kernels of a name, or of any where it is "", there are to choose from.
func withKernels(e *diag.Error, u *ast.Unit, name string) *diag.Error {
	for _, k := range u.Kernels {
		if name == "" || ast.IsCalled(k.Name, name) {
			e.WithNote("-k %-20s line %d", shellWord(k.Name), k.Pos.Line)
		}
	}
	return e
}

// shellWord is a name as a shell takes it: in quotes where it has brackets or blanks, as that
// of a template has.
func shellWord(name string) string {
	if strings.ContainsAny(name, "<>(), *&") {
		return "'" + name + "'"
	}
	return name
}

func kernelNames(u *ast.Unit) []string {
	var names []string
	for _, k := range u.Kernels {
		names = append(names, k.Name)
	}
	return names
}
