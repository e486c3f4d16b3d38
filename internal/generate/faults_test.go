package generate

import (
	"io/fs"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/internal/diag"
	"gpupipe/internal/target"
	"gpupipe/kernels"
)

// TestFaults: a race is told of a group whose size is given, not of one that is inferred.
func TestFaults(t *testing.T) {
	const text = `__global__ void k(float *o, const float *in) {
	__shared__ float s[256];
	int i = threadIdx.x;
	s[i] = in[i];
	o[i] = s[255 - i];
}`
	s, err := NewSource("k.cu", []byte(text), ast.CUDA, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, local := range []Sizes{nil, {256}} {
		p, err := Parse(s, &Options{DynamicLocal: -1, Local: local, Target: target.Target{Level: target.O2}})
		if err != nil {
			t.Fatal(err)
		}
		fn, err := p.Only()
		if err != nil {
			t.Fatal(err)
		}
		k, err := p.Prepare(fn)
		if err != nil {
			t.Fatal(err)
		}
		_, notes, err := k.execute(k.Code)
		if err != nil {
			t.Fatal(err)
		}
		var race *diag.Error
		for _, e := range notes {
			if e.Code == "RACE" {
				race = e
			}
		}
		if (race != nil) != (local != nil) || race != nil && (race.Pos.Line != 4 || race.Severity != diag.SeverityWarning) {
			t.Errorf("local %v: %v", local, notes)
		}
	}
}

// TestNoFaults: the embedded kernels have none that are known.
func TestNoFaults(t *testing.T) {
	for _, x := range kernels.List() {
		text, err := fs.ReadFile(kernels.FS(), x.File)
		if err != nil {
			t.Fatal(err)
		}
		s, err := NewSource(x.File, text, guessDialect(x.File, string(text)), x.Defines)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Parse(s, &Options{DynamicLocal: -1, Target: target.Target{Level: target.O2}})
		if err != nil {
			t.Fatal(err)
		}
		for _, fn := range p.Unit.Kernels {
			if fn.Name != x.Function {
				continue
			}
			k, err := p.Prepare(fn)
			if err != nil {
				t.Fatal(err)
			}
			_, notes, err := k.execute(k.Code)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range notes {
				if e.Code == "RACE" || e.Code == "BARRIER" || e.Code == "OUTSIDE" {
					t.Errorf("%s: %v", x.Name, e)
				}
			}
		}
	}
}
