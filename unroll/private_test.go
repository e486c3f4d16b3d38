package unroll_test

import (
	"fmt"
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/unroll"
)

// TestPrivateContents: what work items have stored in a private array that a subscript keeps in memory decides
// addresses exactly, as long as it is known.
func TestPrivateContents(t *testing.T) {
	for _, c := range []struct {
		body string // with id = 0 to 3 and n = 33; the last store is looked at
		want []int64
	}{
		{"int p[4] = {3, 1, 4, 1}; a[p[id]] = 1;", []int64{3, 1, 4, 1}},
		{"int p[4] = {3, 1, 4, 1}; p[id] += n; a[p[3 - id]] = 1;", []int64{1, 4, 1, 3}},
		{"int p[4]; for (int i = 0; i < 4; i++) p[(i + id) & 3] = 10 * i; a[p[1]] = 1;", []int64{10, 0, 30, 20}},
		{"int p[8]; for (int i = 0; i < 8; i++) p[i] = i * id; for (int i = 1; i < 8; i++) p[(i + n) & 7] = p[i - 1] " +
			"+ 1; a[p[id]] = 1;", []int64{4, 1, 1, 4}},
		{"short p[4] = {-3, 1, 4, 1}; a[p[id] + 3] = 1;", []int64{0, 4, 7, 4}},
		{"uchar p[8]; *(int *)(p + (n & 4)) = 0x04030201; a[p[id]] = 1;", []int64{1, 2, 3, 4}},
		{"int p[4] = {1, 2, 3, 4}; if (id & 1) p[n & 3] = 9; a[p[1]] = 1;", []int64{2, 9, 2, 9}},
	} {
		for _, level := range []unroll.Level{unroll.O0, unroll.O2} {
			got, _ := offsetsOf(t, "k.cl",
				fmt.Sprintf("kernel void k(global char *a, int n) { int id = get_local_id(0); %s }", c.body), level, "")
			if !slices.Equal(got, c.want) {
				t.Errorf("%v: %s: offsets %v, want %v", level, c.body, got, c.want)
			}
		}
	}
}

// TestPrivateUnknown: what is not known of a private array decides nothing.
func TestPrivateUnknown(t *testing.T) {
	for _, body := range []string{
		"int p[4]; a[p[id]] = 1;",                                     // not stored
		"int p[4] = {1, 2, 3, 4}; p[id] = a[9]; a[p[id]] = 1;",        // loaded
		"int p[4] = {1, 2, 3, 4}; p[a[9] & 3] = 7; a[p[id]] = 1;",     // anywhere
		"int p[4] = {1, 2, 3, 4}; if (a[9]) p[id] = 7; a[p[id]] = 1;", // perhaps
		// through a pointer
		"int p[4] = {1, 2, 3, 4}; int *q = a[9] ? p : p + 1; *q = 7; a[p[id]] = 1;",
		// changed too often
		"int p[4] = {1, 2, 3, 4}; for (int i = 0; i < 9000; i++) p[(i * id) & 3] += 3; a[p[id] & 7] = 1;",
	} {
		for _, level := range []unroll.Level{unroll.O0, unroll.O2} {
			k := lowerKernel(t, fmt.Sprintf("kernel void k(global char *a, int n) { int id = get_local_id(0); %s }",
				body))
			rec := &recorder{}
			if _, err := unroll.Resolve(k, unroll.Options{Local: [3]int64{4}, Target: unroll.Target{Level: level},
				Context: rec}); err != nil {
				t.Errorf("%v: %s: %v", level, body, err)
				continue
			}
			if last := rec.list[len(rec.list)-1]; last.Buffer != "a" || last.Offsets != nil {
				t.Errorf("%v: %s: %s at %v is taken to be known", level, body, last.Buffer, last.Offsets)
			}
		}
	}
}

// TestChosenPointers: what pointers may lead to that a condition chooses is stored, and what is stored is computed.
func TestChosenPointers(t *testing.T) {
	const text = `kernel void k(global float *a) {
		float x = a[0], y = a[1];
		for (int i = 0; i < 4; i++) {
			private float *b = x > y ? &x : &y, *c = x > y ? &y : &x;
			x = *b; y = exp(*c);
		}
		a[2] = x;
	}`
	g := resolve(t, lowerKernel(t, text), unroll.Options{Local: [3]int64{32}}).Graph
	ops := map[string]int{}
	f := flatWarp(t, g, 0)
	for v := range idg.NodeID(f.Len()) {
		ops[g.Instr(f.Instr(v)).Op]++
	}
	if ops["exp.f32"] != 4 || ops["st.private"] != 10 {
		t.Errorf("%v", ops)
	}
}
