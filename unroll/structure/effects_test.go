package structure_test

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// objectNames lists objects; ? is what a pointer of unknown origin points to.
func objectNames(k *lower.Kernel, ids []lower.ObjectID) string {
	var names []string
	for _, id := range ids {
		if id == 0 {
			names = append(names, "?")
		} else {
			names = append(names, k.Object(id).Name)
		}
	}
	return strings.Join(names, " ")
}

// effectText lists what code may write, and "shared" if others' writes are seen behind it.
func effectText(k *lower.Kernel, e *structure.Effects) string {
	text := objectNames(k, e.Written)
	if e.Shared {
		text += " shared"
	}
	if e.None() != (text == "") {
		return fmt.Sprintf("%q and yet None is %v", text, e.None())
	}
	return strings.TrimSpace(text)
}

// TestEffects: what the parts of the first branch, and early exits from the first loop, may do to memory.
func TestEffects(t *testing.T) {
	for _, c := range []struct {
		body                        string
		then, otherwise             string
		loop, leaves, continues     string
		escapes, writesA, branching bool
	}{
		{body: "if (n) a[0] = 1; else b[0] = 2;", then: "a", otherwise: "b", writesA: true, branching: true},
		{body: "if (n) barrier(CLK_GLOBAL_MEM_FENCE); else atomic_inc(c);", then: "shared", otherwise: "c",
			branching: true},
		{body: "global int *p = n ? a : b; if (n) *p = 1;", then: "a b", writesA: true, branching: true},
		{body: "global int *p = (global int *)(long)a[n]; if (n) *p = 1;", then: "?", writesA: true, branching: true},
		{body: "global int *p = b + a[n]; if (n) *p = 1;", then: "b", branching: true},
		{body: "if (n) { b[0] = 1; return; } c[0] = 2;", then: "", branching: true},
		{body: "for (int i = 0; i < n; i++) a[i] = 1;", loop: "a", writesA: true},
		{body: "for (int i = 0; i < n; i++) { if (b[i]) break; a[i] = 1; }", loop: "a", leaves: "a", writesA: true},
		{body: "for (int i = 0; i < n; i++) { if (b[i]) continue; a[i] = 1; }", loop: "a", continues: "a",
			writesA: true},
		{body: "for (int i = 0; i < n; i++) { if (b[i]) { c[0] = 1; break; } }", loop: "c", leaves: "c"},
		{body: "for (int i = 0; i < n; i++) { if (b[i]) { c[0] = 1; return; } a[i] = 1; }", loop: "a", escapes: true,
			writesA: true},
		{body: "int i = 0; while (1) { for (int j = 0; j < n; j++) { if (b[j]) goto out; a[j] = 1; } break; } out: ;",
			loop: "a", escapes: true,
			writesA: true},
	} {
		k := kernelOf(t, "kernel void k(global int *a, global int *b, global int *c, int n) { "+c.body+" }")
		s := structure.Of(k)
		check := func(what string, got, want any) {
			if got != want {
				t.Errorf("%s\n%s: %v, want %v", c.body, what, got, want)
			}
		}
		for range 2 { // found, and remembered
			if c.branching {
				st := firstIf(k)
				check("then", effectText(k, s.Effects(st, structure.Then)), c.then)
				check("else", effectText(k, s.Effects(st, structure.Else)), c.otherwise)
			}
			check("may write a", s.MayWrite(1), c.writesA)
			if list := loops(k); len(list) > 0 {
				l := list[0]
				check("loop", effectText(k, s.Effects(l, structure.Head)), c.loop)
				check("leaves", effectText(k, s.LeaveEffects(l)), c.leaves)
				check("continues", effectText(k, s.ContinueEffects(l)), c.continues)
				check("escapes", s.Escapes(l), c.escapes)
			}
		}
	}
}

func firstIf(k *lower.Kernel) (first *lower.If) {
	lower.Walk(k.Body, func(st lower.Stmt) {
		if st, ok := st.(*lower.If); ok && first == nil {
			first = st
		}
	})
	return first
}

// TestPromotedIn: the places of memory that the first loop keeps in registers, as clang -O2 does.
func TestPromotedIn(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"for (int i = 0; i < n; i++) c[0] += b[i];", "2"},
		{"for (int i = 0; i < n; i++) { c[0] += b[i]; c[1] -= b[i]; }", "2 2"},
		{"for (int i = 0; i < n; i++) { c[n + 1] += b[i]; c[n + 2] -= b[i]; }", "2 2"},
		{"for (int i = 0; i < n; i++) { c[n + 1] += b[i]; c[i] -= b[i]; }", ""}, // may be the same place
		{"for (int i = 0; i < n; i++) if (b[i]) c[0] += b[i];", ""},             // not in each iteration
		{"for (int i = 0; i < n; i++) { if (b[i]) break; c[0] += b[i]; }", ""},  // perhaps in none
		// not if another lane leaves the kernel
		{"for (int i = 0; i < n; i++) { if (b[i]) return; c[0] += b[i]; }", ""},
		{"for (int i = 0; i < n; i++) { if (b[i]) c[0] = 1; else c[0] = 2; }", "2"},
		{"for (int i = 0; i < n; i++) { for (int j = 0; j < 4; j++) c[0] += b[i + j]; }", "2"},
		{"for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) c[0] += b[i + j]; }", ""},
		{"for (int i = 0; i < n; i++) { int j = 0; do { c[0] += b[i]; } while (++j < n); }", "2"},
		{"for (int i = 0; i < n; i++) { c[0] += b[i]; barrier(CLK_GLOBAL_MEM_FENCE); }", ""},
		{"for (int i = 0; i < n; i++) { c[0] += b[i]; atomic_inc(c); }", ""},
		{"for (int i = 0; i < n; i++) { a[0] += b[i]; atomic_inc(d); }", ""}, // a and d may overlap
		{"for (int i = 0; i < n; i++) { c[0] += b[i]; *(global char *)c = 1; }", ""},
		{"int p[4]; for (int i = 0; i < n; i++) if (b[i]) p[1] = b[i]; c[0] = p[n];", "1"}, // no other thread sees it
	} {
		k := kernelOf(t, "kernel void k(global int *a, global const int *restrict b, global int *restrict c, global "+
			"int *d, int n) { "+c.body+" }")
		s := structure.Of(k)
		for range 2 {
			var accesses []string
			for _, p := range s.PromotedIn(loops(k)[0]) {
				accesses = append(accesses, fmt.Sprint(len(p.Accesses)))
			}
			if got := strings.Join(accesses, " "); got != c.want {
				t.Errorf("%s\n%q accesses of promoted places, want %q", c.body, got, c.want)
			}
		}
	}
}
