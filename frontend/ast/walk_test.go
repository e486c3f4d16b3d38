package ast

import (
	"strings"
	"testing"

	"gpupipe/frontend/ctypes"
)

// everyStatement is a unit of a kernel that has each kind of statement, and what it prints.
func everyStatement() (*Unit, string) {
	n, at := variable("n", number), At(pos)
	do := func(v int64) Stmt { return Do(integer(v), pos) }
	block := func(list ...Stmt) *Block { return &Block{at, list} }
	label := &Labelled{Positioned: at, Name: "end"}
	label.Stmts = []Stmt{&Goto{at, "end", label}}
	return unitOf(
			&Decl{at, n.Obj, integer(1)},
			&If{at, integer(2), block(do(3)), do(4)},
			&Loop{at, ForLoop, []Stmt{do(5)}, integer(6), integer(7), block(&Continue{at}),
				&Pragma{pos, UnrollFactor, 4, ""}},
			&Loop{at, WhileLoop, nil, integer(8), nil, do(9), nil},
			&Loop{at, DoLoop, nil, integer(11), nil, block(do(10)), nil},
			&Switch{at, integer(12), []Case{{pos, []int64{1, 2}, false, []Stmt{do(13), &Break{at}}},
				{pos, nil, true, []Stmt{do(14)}}}},
			label,
			Do(&StmtExpr{Of(number, pos), []Stmt{do(15)}, integer(16)}, pos),
			&Return{at, nil},
		), `if (2) { 3; } else 4; // line 3: unroll by 4 for (5; 6; 7) { continue; } while (8) 9; ` +
			`do { 10; } while (11); ` +
			`switch (12) { case 1: case 2: 13; break; default: 14; } { goto end; } end:`
}

// TestPrintStatements: the text of a unit has each statement in its place.
func TestPrintStatements(t *testing.T) {
	u, want := everyStatement()
	if got := strings.Join(strings.Fields(u.String()), " "); !strings.Contains(got, want) {
		t.Errorf("printed %s, want %s in it", got, want)
	}
}

// TestWalkBody: statements and expressions are visited once each, in source order but for what a loop has at its end.
func TestWalkBody(t *testing.T) {
	u, _ := everyStatement()
	var values []string
	statements := 0
	WalkBody(u.Kernels[0].Body, func(Stmt) { statements++ }, func(e Expr) {
		if l, ok := e.(*Literal); ok {
			values = append(values, l.Value.String())
		}
	})
	if got, want := strings.Join(values, " "), "1 2 3 4 6 7 5 8 9 11 10 12 13 14 15 16"; got != want {
		t.Errorf("visited %s, want %s", got, want)
	}
	if statements != 24 {
		t.Errorf("visited %d statements", statements)
	}
}

// TestRewrite: lists lose what the function drops, wherever they stand, and every expression is replaced.
func TestRewrite(t *testing.T) {
	u, _ := everyStatement()
	RewriteLists(u.Kernels[0].Body, func(list []Stmt) (out []Stmt) {
		for _, s := range list {
			if _, ok := s.(*ExprStmt); !ok {
				out = append(out, s)
			}
		}
		return out
	})
	Rewrite(u.Kernels[0], func(e Expr) Expr {
		if l, ok := e.(*Literal); ok && l.Type().IsInteger() {
			return &Literal{Typed: Of(number, pos), Value: ctypes.IntValue(ctypes.Int, 20)}
		}
		return e
	})
	want := `if (20) { } else { } // line 3: unroll by 4 for (; 20; 20) { continue; } while (20) { } ` +
		`do { } while (20); ` +
		`switch (20) { case 1: case 2: break; default: } { goto end; } end: return;`
	if got := strings.Join(strings.Fields(u.String()), " "); !strings.Contains(got, want) {
		t.Errorf("printed %s, want %s in it", got, want)
	}
}
