package view

import (
	"context"
	"encoding/json"
	"testing"
	"time"
)

// FuzzEvaluate: every request has an answer that is JSON, without a defect.
func FuzzEvaluate(f *testing.F) {
	for _, seed := range []string{
		`{"builtin":"vadd"}`,
		`{"file":"k.cu","text":"__global__ void k(int *a, int n) { for (int i = 0; i < n; i++) a[i] = threadIdx.x; }","args":["n=9"],"unroll":[{"loop":0,"factor":4}]}`,
		`{"file":"k.cl","text":"#include \"a.h\"\n__kernel void k(__global float *a) { F }","files":{"a.h":"#define F a[0] = 1;"},"local":"8x8","global":"64x64"}`,
		`{"builtin":"reduction","devices":["a100","mi210"],"issue":"in-order","scheduler":"gto","issue_limit":"1/2","concurrent":3,"unit_groups":5,"rules":["local:D=2"]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		var r Request
		if json.Unmarshal(document, &r) != nil {
			return
		}
		r.Page = false // package page has tests of its own
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		out := new(Evaluator).Evaluate(ctx, &r, nil)
		if _, err := json.Marshal(out); err != nil {
			t.Fatal(err)
		}
		for _, d := range out.Diagnostics {
			if d.Code == codeDefect {
				t.Fatal(d)
			}
		}
	})
}
