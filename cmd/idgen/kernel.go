package main

import (
	"strings"

	"gpupipe/frontend"
	"gpupipe/internal/diag"
	"gpupipe/internal/spelling"
)

const codeKernel = "KERNEL"

// chooseKernel returns the kernel that -k or --builtin names, else the only
// one of the source.
func chooseKernel(u *frontend.Unit, s *source, name string) (*frontend.Function, error) {
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
	e := diag.Errorf(diag.Pos{File: s.file}, codeKernel, "there is no kernel %q", name)
	names := kernelNames(u)
	if hint := spelling.DidYouMean(name, names); hint != "" {
		return nil, e.WithNote("%s", hint)
	}
	return nil, e.WithNote("its kernels: %s", strings.Join(names, ", "))
}

func onlyKernel(u *frontend.Unit, s *source) (*frontend.Function, error) {
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
	for _, k := range u.Kernels {
		e.WithNote("-k %-20s line %d", k.Name, k.Pos.Line)
	}
	return nil, e
}

func kernelNames(u *frontend.Unit) []string {
	var names []string
	for _, k := range u.Kernels {
		names = append(names, k.Name)
	}
	return names
}
