package structure_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// kernelOf lowers the kernel of an OpenCL source text.
func kernelOf(t *testing.T, text string) *lower.Kernel {
	t.Helper()
	u, err := frontend.Parse(frontend.Config{File: "k.cl", Text: text, Dialect: ast.OpenCL})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	k, err := lower.Lower(u, u.Kernels[0])
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return k
}

// loops lists the loops of a kernel, outer ones first.
func loops(k *lower.Kernel) (list []*lower.Loop) {
	lower.Walk(k.Body, func(st lower.Stmt) {
		if l, ok := st.(*lower.Loop); ok {
			list = append(list, l)
		}
	})
	return list
}

// named lists the names of variables, sorted.
func named(k *lower.Kernel, regs []lower.Reg) string {
	var names []string
	for _, r := range regs {
		names = append(names, k.Reg(r).Name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// TestLoops: what is told of the first loop of a kernel.
func TestLoops(t *testing.T) {
	for _, c := range []struct {
		name, text                          string
		assigned, carried, steps, outliving string
		invariant                           int
		selects                             bool
	}{
		{"a sum", "kernel void k(global float *a, int n) { float s = 0; for (int i = 0; i < n; i++) { float x = " +
			"a[i]; s += x * n; } a[0] = s; }",
			"i s x", "i s", "i", "s", 1, false},
		{"nobody reads the sum", "kernel void k(global float *a, int n) { float s = 0; for (int i = 0; i < n; i++) s " +
			"+= a[i]; a[0] = n; }",
			"i s", "i s", "i", "", 0, false},
		{"two counters", "kernel void k(global float *a, int n) { int j = 0; for (int i = 0; i < n; i += 2) { a[j] = " +
			"i; j += 3; } a[0] = j; }",
			"i j", "i j", "i j", "j", 0, false},
		{"a step that changes", "kernel void k(global float *a, int n) { int j = 0; for (int i = 0; i < n; i++) { " +
			"a[j] = i; j += i; } a[0] = j; }",
			"i j", "i j", "i", "j", 0, false},
		{"read where the compiler may know that it is not", "kernel void k(global float *a, int n) { float s = 0; " +
			"for (int i = 0; i < n; i++) s += a[i]; if (3 < 2) a[0] = s; }",
			"i s", "i s", "i", "", 0, false},
		{"an array", "kernel void k(global float *a, int n) { float p[4]; for (int i = 0; i < 4; i++) p[i] = a[i]; " +
			"a[0] = p[n]; }",
			"i", "i", "i", "", 0, true},
	} {
		k := kernelOf(t, c.text)
		s, l := structure.Of(k), loops(k)[0]
		for range 2 { // found, and remembered
			var steps []lower.Reg
			for r := range s.StepsOf(l) {
				steps = append(steps, r)
			}
			for _, x := range []struct{ what, got, want string }{
				{"assigns", named(k, s.AssignedIn(l)), c.assigned},
				{"carries", named(k, s.Carried(l)), c.carried},
				{"steps", named(k, steps), c.steps},
				{"hands on", named(k, s.Outliving(l)), c.outliving},
				{"leaves so many operations as they are:", fmt.Sprint(len(s.InvariantIn(l))), fmt.Sprint(c.invariant)},
				{"selects elements of an array:", fmt.Sprint(s.SelectsArray(l)), fmt.Sprint(c.selects)},
			} {
				if x.got != x.want {
					t.Errorf("%s: the loop %s %q, want %q", c.name, x.what, x.got, x.want)
				}
			}
		}
	}
}

// TestScopes: the scope of every variable encloses all statements that name it, and no inner block does.
func TestScopes(t *testing.T) {
	k := kernelOf(t, `kernel void k(global float *a, local float *b, int n) {
		int x = 1;
		if (n > 3) { int y = n; for (int i = 0; i < n; i++) { float z = a[i]; if (z > y) a[i] = z; else b[i] = x; } }
		while (n > 0) { int w = b[n]; n -= w; }
	}`)
	s := structure.Of(k)
	named := map[lower.Reg][]structure.BlockID{} // the blocks in which a register is
	var walk func(b lower.Block, id structure.BlockID)
	var all []structure.BlockID
	walk = func(b lower.Block, id structure.BlockID) {
		all = append(all, id)
		use := func(o lower.Operand) {
			if o.Reg != 0 {
				named[o.Reg] = append(named[o.Reg], id)
			}
		}
		for _, st := range b {
			switch st := st.(type) {
			case *lower.Instr:
				for _, a := range st.Args {
					use(a)
				}
				for _, d := range st.Dsts {
					use(lower.Operand{Reg: d})
				}
			case *lower.If:
				use(st.Cond)
				walk(st.Then, s.Block(st, structure.Then))
				walk(st.Else, s.Block(st, structure.Else))
			case *lower.Loop:
				head := s.Block(st, structure.Head)
				if body := s.Block(st, structure.Body); !s.Encloses(head, body) || s.Encloses(body, head) {
					t.Errorf("the loop at %v: its body is not within it", st.Pos)
				}
				walk(st.Cond, head)
				walk(st.Body, s.Block(st, structure.Body))
				walk(st.Post, head)
			}
		}
	}
	walk(k.Body, 0)
	for _, p := range k.Params {
		if p.Reg != 0 {
			named[p.Reg] = append(named[p.Reg], 0)
		}
	}
	for r, blocks := range named {
		scope := s.ScopeOf(r)
		for _, b := range blocks {
			if !s.Encloses(scope, b) {
				t.Errorf("%s is named outside of its scope", k.Reg(r).Name)
			}
		}
		if k.Reg(r).Var && !slices.Contains(s.VariablesOf(scope), r) {
			t.Errorf("%s is not among the variables of its scope", k.Reg(r).Name)
		}
		for _, inner := range all { // no block within is enough
			if inner != scope && s.Encloses(scope, inner) &&
				!slices.ContainsFunc(blocks, func(b structure.BlockID) bool { return !s.Encloses(inner, b) }) {
				t.Errorf("block %d within the scope %d of %s has all that names it", inner, scope, k.Reg(r).Name)
			}
		}
	}
}

// TestMeetings: branches on what lanes share need no place to meet again, others do, unless the
// kernel ends there or a statement around them has one.
func TestMeetings(t *testing.T) {
	for _, c := range []struct {
		body string
		ifs  string
		last string
	}{
		{"if (n > 3) a[i] = 1; a[0] = 2;", "[false]", "[false]"},
		{"if (i > 3) a[i] = 1; a[0] = 2;", "[true]", "[false]"},
		{"if (i > 3) a[i] = 1;", "[false]", "[true]"},
		{"if (a[n] > 3) a[i] = 1; a[0] = 2;", "[false]", "[false]"},
		{"if (a[i] > 3) a[i] = 1; a[0] = 2;", "[true]", "[false]"},
		{"if (i > 3) return; a[0] = 2;", "[false]", "[false]"},
		{"if (i > 3) { if (i > 5) a[i] = 1; } a[0] = 2;", "[true false]", "[false false]"},
		{"int m = 0; if (i > 3) m = 1; a[1] = 3; if (m) a[i] = 1; a[0] = 2;", "[true true]", "[false false]"},
	} {
		k := kernelOf(t, "kernel void k(global float *a, int n) { int i = get_local_id(0); "+c.body+" }")
		s := structure.Of(k)
		var last []bool
		for i := range k.Branches {
			last = append(last, s.IsLast(lower.BranchID(i+1)))
		}
		if got := fmt.Sprint(s.Meetings().Ifs); got != c.ifs {
			t.Errorf("%s: lanes meet behind %s, want %s", c.body, got, c.ifs)
		}
		if got := fmt.Sprint(last); got != c.last {
			t.Errorf("%s: last in the kernel: %s, want %s", c.body, got, c.last)
		}
	}
}

// TestLocalStart: arrays lie behind each other, each aligned to its elements.
func TestLocalStart(t *testing.T) {
	k := kernelOf(t, "kernel void k(global double *a, local float *arg) { local char c[3]; local double d[2]; local "+
		"float e[5]; c[0] = 1; d[0] = 2; e[0] = 3; arg[0] = 4; a[0] = c[0] + d[0] + e[0] + arg[0]; }")
	s := structure.Of(k)
	want := map[string]string{"a": "0 false", "arg": "0 false", "c": "0 true", "d": "8 true", "e": "24 true"}
	for i := range k.Objects {
		start, ok := s.LocalStart(lower.ObjectID(i + 1))
		if got := fmt.Sprint(start, ok); got != want[k.Objects[i].Name] {
			t.Errorf("%s lies at %s, want %s", k.Objects[i].Name, got, want[k.Objects[i].Name])
		}
	}
}

// TestConstant: what registers get nothing but one constant, wherever they get it.
func TestConstant(t *testing.T) {
	k := kernelOf(t, `void f(global float *a, int n) { for (int i = 0; i < n; i++) { int last = n; a[i] = last; } }
kernel void k(global float *a, int m) { for (int j = 0; j < m; j++) { int four = 4; f(a + j, four); } }`)
	st := structure.Of(k)
	var got []string
	for r := range k.Regs {
		if bits, ok := st.Constant(lower.Reg(r + 1)); ok {
			got = append(got, fmt.Sprintf("%s=%d", k.Regs[r].Name, bits))
		}
	}
	if want := "four=4 last=4"; strings.Join(got, " ") != want {
		t.Errorf("constants: %s, want %s", strings.Join(got, " "), want)
	}
}
