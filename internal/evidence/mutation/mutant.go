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

// apply is the text of the file with the change.
func (m mutant) apply(text []byte) []byte {
	return slices.Concat(text[:m.start], []byte(m.is), text[m.end:])
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
	f.found = append(f.found, mutant{file: f.file, line: start.Line, start: start.Offset, end: end.Offset,
		was: string(f.text[start.Offset:end.Offset]), is: is})
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
	case *ast.CompositeLit, *ast.TypeSwitchStmt:
		return false
	case *ast.CallExpr:
		switch name := called(n); name {
		case "min":
			f.add(n.Fun.Pos(), n.Fun.End(), "max")
		case "max":
			f.add(n.Fun.Pos(), n.Fun.End(), "min")
		default:
			return !speaks(name)
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

// speaks reports whether a function of a name makes a message.
func speaks(name string) bool {
	return strings.HasSuffix(name, "rrorf") || strings.HasPrefix(name, "Sprint") || strings.HasPrefix(name, "With") ||
		strings.HasSuffix(name, "Notef") || name == "fail" || name == "refuse"
}

// mutants lists those of a package's files, which stand in a folder below root, in order.
func mutants(root, folder string) ([]mutant, error) {
	files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
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
		all = append(all, f.found...)
	}
	return all, nil
}
