package unroll

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"gpupipe/lower"
)

// at evaluates a form with the symbols' contents in lane 0, wrapping around.
func (f linear) at() int64 {
	sum := f.c
	for _, t := range f.terms {
		sum += t.coef * int64(t.sym.u)
	}
	return sum
}

// randomForm adds and scales symbols at random and returns its value as well.
func randomForm(rng *rand.Rand, symbols []*value) (linear, int64) {
	f, want := linear{c: rng.Int64N(9) - 4}, int64(0)
	want = f.c
	for range rng.IntN(6) {
		s := symbols[rng.IntN(len(symbols))]
		k := rng.Int64N(7) - 3
		f = f.add(symbol(s), k)
		want += k * int64(s.u)
	}
	return f, want
}

func TestLinearForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	symbols := make([]*value, 6)
	for i := range symbols {
		symbols[i] = &value{id: valueID(i + 1), typ: lower.S64, level: int32(i % 3), known: 1, u: rng.Uint64()}
	}
	keys := map[string]linear{}
	for range 5000 {
		f, x := randomForm(rng, symbols)
		g, y := randomForm(rng, symbols)
		k := rng.Int64() >> rng.IntN(60)
		inv, vary := f.split(int32(rng.IntN(4)))
		rest, c := f.offset()
		for name, p := range map[string][2]int64{
			"value": {f.at(), x}, "add": {f.add(g, k).at(), x + k*y}, "scale": {f.scale(k).at(), k * x},
			"split": {inv.add(vary, 1).at(), x}, "offset": {rest.at() + c, x},
			"wrap to 32 bits": {int64(int32(f.scale(k).wrap(lower.S32).at())), int64(int32(k * x))},
		} {
			if p[0] != p[1] {
				t.Fatalf("%s of %+v: %d, want %d", name, f, p[0], p[1])
			}
		}
		for i, term := range f.terms {
			if term.coef == 0 || i > 0 && f.terms[i-1].sym.id >= term.sym.id {
				t.Fatalf("terms of %+v are not in normal form", f)
			}
		}
		for _, term := range inv.terms {
			if len(vary.terms) > 0 && term.sym.level > vary.level() {
				t.Fatalf("split left a varying symbol in the invariant part of %+v", f)
			}
		}
		if len(vary.terms) > 0 && (vary.invariantAt(vary.level()) || !vary.invariantAt(vary.level()+1)) {
			t.Fatalf("%+v: level %d", vary, vary.level())
		}
		if f.scale(4).divisible(8) != f.scale(2).divisible(4) || !f.scale(4).divisible(4) {
			t.Fatalf("%+v: divisible", f)
		}
		if d := f.add(f, -1); !d.isConst() || d.c != 0 {
			t.Fatalf("f - f = %+v", d)
		}
		key := string(f.appendKey(nil))
		if old, ok := keys[key]; ok && old.add(f, -1).at() != 0 {
			t.Fatalf("%+v and %+v have the same key", old, f)
		}
		keys[key] = f
		if again := f.add(g, 1).add(g, -1); !bytes.Equal(again.appendKey(nil), f.appendKey(nil)) {
			t.Fatalf("f + g - g has another key than f = %+v", f)
		}
	}
	if len(keys) < 1000 {
		t.Errorf("only %d different forms", len(keys))
	}
}

// TestExactness: a sum that wraps around in 32 bits is not its 64-bit form.
func TestExactness(t *testing.T) {
	s := &value{id: 1, typ: lower.U32, known: 3, lanes: []uint64{5, 0}}
	s.form = symbol(s)
	v := &value{id: 2, typ: lower.U32, known: 3, lanes: []uint64{4, 1<<32 - 1},
		form: linear{terms: []term{{s, 1}}, c: -1}}
	if v.isExact() {
		t.Error("0 - 1 in unsigned arithmetic is taken for -1")
	}
	v.known = 1
	if !v.isExact() {
		t.Error("5 - 1 is not taken for 4")
	}
	if !s.isExact() {
		t.Error("a symbol is not itself")
	}
}
