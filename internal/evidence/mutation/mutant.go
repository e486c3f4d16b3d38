package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// mutant is one change of a file: the bytes from start to end become others.
type mutant struct {
	file       string
	line       int
	start, end int
	was, is    string
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d: %s becomes %s", m.file, m.line, m.was, m.is)
}

// others is what an operator is taken for.
var others = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.ADD: token.SUB, token.SUB: token.ADD,
	token.MUL: token.QUO, token.QUO: token.MUL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.SHL: token.SHR, token.SHR: token.SHL, token.AND: token.OR, token.OR: token.AND,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.INC: token.DEC, token.DEC: token.INC,
}

// finder collects the mutants of a file.
type finder struct {
	file  string
	text  []byte
	set   *token.FileSet
	found []mutant
}

func (f *finder) add(from, to token.Pos, is string) {
	start, end := f.set.Position(from), f.set.Position(to)
	f.found = append(f.found, mutant{file: f.file, line: start.Line,
		start: start.Offset, end: end.Offset, was: string(f.text[start.Offset:end.Offset]), is: is})
}

func (f *finder) operator(at token.Pos, op token.Token) {
	if other, ok := others[op]; ok {
		f.add(at, at+token.Pos(len(op.String())), other.String())
	}
}

// visit finds what can be changed at a node; it reports whether to go on below.
func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl: // types, tables of data and constants
		return false
	case *ast.CompositeLit, *ast.TypeSwitchStmt, *ast.FuncType, *ast.ArrayType: // with constraints and lengths
		return false
	case *ast.ReturnStmt:
		return !refuses(n)
	case *ast.CallExpr:
		switch name := called(n); {
		case name == "min":
			f.add(n.Fun.Pos(), n.Fun.End(), "max")
		case name == "max":
			f.add(n.Fun.Pos(), n.Fun.End(), "min")
		case name == "make": // but not its capacity
			for i, arg := range n.Args {
				if _, ok := n.Args[0].(*ast.MapType); !ok && i < 2 {
					ast.Inspect(arg, f.visit)
				}
			}
			return false
		default:
			return name != "Grow" && !speaks(n, name)
		}
	case *ast.BinaryExpr:
		if text, ok := n.X.(*ast.BasicLit); !ok || text.Kind != token.STRING {
			f.operator(n.OpPos, n.Op)
		}
	case *ast.AssignStmt:
		f.operator(n.TokPos, n.Tok)
	case *ast.IncDecStmt:
		f.operator(n.TokPos, n.Tok)
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.add(n.Pos(), n.X.Pos(), "")
		}
	case *ast.BasicLit:
		if v, err := strconv.Atoi(n.Value); n.Kind == token.INT && err == nil {
			f.add(n.Pos(), n.End(), strconv.Itoa(v+1))
		}
	case *ast.CaseClause: // one of several values
		for i := range n.List[:max(0, len(n.List)-1)] {
			f.add(n.List[i].Pos(), n.List[i+1].Pos(), "")
		}
	}
	return true
}

// refuses reports whether a function returns numbers beside false, an error or several words: nobody reads them.
func refuses(r *ast.ReturnStmt) bool {
	if len(r.Results) < 2 {
		return false
	}
	for _, x := range r.Results[:len(r.Results)-1] {
		switch x.(type) {
		case *ast.BasicLit, *ast.Ident:
		default:
			return false
		}
	}
	switch last := r.Results[len(r.Results)-1].(type) {
	case *ast.Ident:
		return last.Name == "false" || last.Name == "err"
	case *ast.BasicLit:
		return last.Kind == token.STRING && strings.Contains(last.Value, " ")
	}
	return false
}

// called is the name of what a call calls.
func called(c *ast.CallExpr) string {
	switch fun := c.Fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return ""
}

// speaks reports whether a call makes a message: by the name of its function, or as it is given several words.
func speaks(c *ast.CallExpr, name string) bool {
	return strings.HasSuffix(name, "rrorf") || strings.HasPrefix(name, "Sprint") || strings.HasPrefix(name, "With") ||
		strings.HasSuffix(name, "Notef") || name == "fail" || name == "refuse" || name == "panic" ||
		slices.ContainsFunc(c.Args, func(arg ast.Expr) bool {
			text, ok := arg.(*ast.BasicLit)
			return ok && text.Kind == token.STRING && strings.Contains(text.Value, " ")
		})
}

// mutants lists those of a file, which is named as it is below root.
func mutants(root, path string) ([]mutant, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, path, text, 0)
	if err != nil {
		return nil, err
	}
	name, err := filepath.Rel(root, path)
	if err != nil {
		return nil, err
	}
	f := &finder{file: filepath.ToSlash(name), text: text, set: set}
	ast.Inspect(tree, f.visit)
	return f.found, nil
}
