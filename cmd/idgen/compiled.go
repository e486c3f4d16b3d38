package main

import (
	"fmt"
	"io"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/internal/generate"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass"
	"gpupipe/lower/translate"
)

// stageBuild is what --after calls the SSA that the passes begin with.
const stageBuild = "build"

// stages are what --after takes, in order.
func stages() []string {
	list := []string{stageBuild}
	for _, p := range pass.List {
		list = append(list, p.Name)
	}
	return list
}

func parseStage(text string) (string, error) {
	for _, s := range stages() {
		if s == text {
			return s, nil
		}
	}
	return "", fmt.Errorf("the stages are %s", strings.Join(stages(), ", "))
}

// ir writes a kernel as it is after a stage of the compiler, which reads no launch.
func (w writer) ir(o *options, p *generate.Program, fn *ast.Function) error {
	k, err := translate.Kernel(p.Unit, fn)
	if err != nil {
		return err
	}
	w.Report(k.Warnings.Sorted())
	f, err := p.IR(fn, o.after)
	if err != nil {
		return err
	}
	return w.Emit(o.output, func(w io.Writer) error { return ir.Format(w, f) })
}

// asm writes the machine code of a kernel.
func (w writer) asm(o *options, p *generate.Program, fn *ast.Function) error {
	c, err := p.Compile(fn)
	if err != nil {
		return err
	}
	return w.Emit(o.output, func(w io.Writer) error {
		_, err := io.WriteString(w, c.String())
		return err
	})
}
