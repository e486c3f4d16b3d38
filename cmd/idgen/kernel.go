package main

import (
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/internal/diag"
	"gpupipe/internal/spelling"
)

const codeKernel = "KERNEL"

// chooseKernel returns the kernel that -k or --builtin names, else the only
// one of the source.
func chooseKernel(u *ast.Unit, s *source, name string) (*ast.Function, error) {
	if name == "" {
		name = s.function
	}
	if name == "" {
		return onlyKernel(u, s)
	}
	if fn := u.Kernel(name); fn != nil {
		return fn, nil
	}
	if b := u.BrokenKernel(name); b != nil {
		return nil, b.Err
	}
	names := kernelNames(u)
	if n := len(slices.DeleteFunc(slices.Clone(names), func(k string) bool { return !isCalled(k, name) })); n > 0 {
		e := diag.Errorf(diag.Pos{File: s.file}, codeKernel, "there are %d kernels %s; choose one with -k NAME", n, name)
		return nil, withKernels(e, u, name)
	}
	e := diag.Errorf(diag.Pos{File: s.file}, codeKernel, "there is no kernel %q", name)
	if hint := spelling.Known("kernels", name, names); hint != "" {
		e.WithNote("%s", hint)
	}
	return nil, e
}

func onlyKernel(u *ast.Unit, s *source) (*ast.Function, error) {
	switch len(u.Kernels) {
	case 0:
		if len(u.Broken) > 0 {
			return nil, u.Broken[0].Err
		}
		return nil, diag.Errorf(diag.Pos{File: s.file}, codeKernel, "there is no kernel").
			WithNote("a kernel is a function declared __kernel (OpenCL) or __global__ (CUDA); this was read as %v", s.dialect)
	case 1:
		return u.Kernels[0], nil
	}
	e := diag.Errorf(diag.Pos{File: s.file}, codeKernel, "there are %d kernels; choose one with -k NAME", len(u.Kernels))
	return nil, withKernels(e, u, "")
}

// unusable says which other kernels the source has that cannot be used, where one was taken since it
// is the only one that can.
func unusable(u *ast.Unit, s *source, taken *ast.Function) diag.List {
	if len(u.Broken) == 0 {
		return nil
	}
	e := diag.Warningf(diag.Pos{File: s.file}, codeKernel, "kernel %s is taken, since no other can be used", taken.Name)
	for _, b := range u.Broken {
		_ = e.WithNote("-k %-20s line %d: says why not", shellWord(b.Name), b.Pos.Line)
	}
	return diag.List{e}
}

// withKernels adds to an error which kernels of a name, or of any where it is "", there are to choose from.
func withKernels(e *diag.Error, u *ast.Unit, name string) *diag.Error {
	for _, k := range u.Kernels {
		if name == "" || isCalled(k.Name, name) {
			e.WithNote("-k %-20s line %d", shellWord(k.Name), k.Pos.Line)
		}
	}
	return e
}

// isCalled reports whether a kernel's name is a shorter one with template arguments, parameters or namespaces.
func isCalled(kernel, name string) bool {
	bare, _, _ := strings.Cut(kernel, "<")
	bare, _, _ = strings.Cut(bare, "(")
	return bare == name || strings.HasSuffix(bare, "::"+name)
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
