package main

import (
	"errors"
	"fmt"
	"io/fs"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/generate"
	"gpupipe/kernels"
	"gpupipe/lower/translate"
	"gpupipe/unroll"
)

// graphOf makes the graph of a kernel of the repository at -O0, the papers' own level.
func graphOf(name string, opt unroll.Options, defines ...string) (*idg.Graph, error) {
	k, err := kernels.Lookup(name)
	if err != nil {
		return nil, err
	}
	text, err := fs.ReadFile(kernels.FS(), k.File)
	if err != nil {
		return nil, err
	}
	u, err := frontend.Parse(frontend.Config{File: k.File, Text: string(text), Dialect: ast.OpenCL,
		Defines: append(k.Defines, defines...)})
	if err != nil {
		return nil, err
	}
	fn := u.Kernel(k.Function)
	if fn == nil {
		return nil, fmt.Errorf("%s has no kernel %s", k.File, k.Function)
	}
	low, err := translate.Kernel(u, fn)
	if err != nil {
		return nil, err
	}
	opt.Level = unroll.O0
	g, _, err := generate.Execute(low, fn, ast.OpenCL, opt)
	return g, err
}

// mmul is the 2019 paper's matrix multiplication of 1024 x 1024.
func mmul(block int64) (*idg.Graph, error) {
	n := matrix / block
	return graphOf("mmul", unroll.Options{
		Local: [3]int64{block, block}, Groups: [3]int64{n, n},
		Args: map[string]unroll.ArgValue{"wA": {Int: matrix}, "wB": {Int: matrix}},
	}, fmt.Sprint("BLOCK_SIZE=", block))
}

// matrix is the width of mmul's matrices.
const matrix = 1024

// perIteration is how many instructions of an op a warp executes in an outer
// iteration of mmul. What stands outside of the loop is not counted: the store
// of the result and its address.
func perIteration(block int64, op string) func() (float64, error) {
	return func() (float64, error) {
		g, err := mmul(block)
		if err != nil {
			return 0, err
		}
		n, err := executed(g, op)
		return float64(n / (matrix / block)), err
	}
}

// executed is how many instructions of an op warp 0 executes.
func executed(g *idg.Graph, op string) (int64, error) {
	p := g.ProgramOf(0)
	if p == nil {
		return 0, errors.New("the graph has no program for warp 0")
	}
	for _, o := range g.ProgramMix(p).Ops {
		if o.Op == op {
			return o.Count, nil
		}
	}
	return 0, nil
}
