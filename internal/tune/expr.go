package tune

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/types"
	"github.com/expr-lang/expr/vm"

	"gpupipe/internal/spelling"
)

// Expr is an expression over the parameters of a space, as the package expr reads them: arithmetic, where / divides
// real numbers, comparisons, and, or, not, in, ?:, and functions such as ceil, floor, min and max. What Python writes
// otherwise is read, too: a // b and a < b < c.
type Expr struct {
	Source  string
	Names   []string // of the parameters that it reads, in order of their first use
	program *vm.Program
}

// The functions that stand for operators: division says when it is by zero, and // rounds down.
const (
	divide      = "__divide"
	divideFloor = "__divide_floor"
	floorMark   = "__floor"
)

var errZero = errors.New("division by zero")

// ParseExpr compiles an expression over parameters of a space.
func ParseExpr(text string, params []Param) (*Expr, error) {
	e := &Expr{Source: strings.TrimSpace(text)}
	if e.Source == "" {
		return nil, errors.New("an expression is empty")
	}
	r := &reader{e: e, params: params, env: types.Map{floorMark: types.Int}}
	for i := range params {
		r.env[params[i].Name] = kindOf(&params[i])
	}
	program, err := expr.Compile(strings.ReplaceAll(e.Source, "//", "/ "+floorMark+" /"),
		expr.Env(r.env), expr.Patch(r),
		expr.Function(divide, func(a ...any) (any, error) { return quotient(a[0], a[1]) },
			new(func(any, any) float64)),
		expr.Function(divideFloor, func(a ...any) (any, error) {
			q, err := quotient(a[0], a[1])
			return int(math.Floor(q)), err
		}, new(func(any, any) int)))
	switch {
	case r.err != nil:
		return nil, fmt.Errorf("%q: %w", e.Source, r.err)
	case err != nil:
		return nil, fmt.Errorf("%q: %w", e.Source, oneLine(err))
	}
	e.program = program
	return e, nil
}

// kindOf is the type that all values of a parameter have.
func kindOf(p *Param) types.Type {
	kind := fmt.Sprintf("%T", p.Values[0])
	for _, v := range p.Values {
		if fmt.Sprintf("%T", v) != kind {
			return types.Any
		}
	}
	return types.TypeOf(p.Values[0])
}

// reader finds the parameters of an expression, and makes calls of divisions and conjunctions of chains.
type reader struct {
	e      *Expr
	params []Param
	env    types.Map
	err    error
}

// Visit is called for each node, operands before operators.
func (r *reader) Visit(n *ast.Node) {
	switch x := (*n).(type) {
	case *ast.IdentifierNode:
		r.name(x.Value)
	case *ast.BinaryNode:
		r.binary(n, x)
	}
}

func (r *reader) name(name string) {
	if name == floorMark || name == divide || name == divideFloor {
		return
	}
	var names []string
	for i := range r.params {
		if r.params[i].Name == name {
			r.e.use(name)
			return
		}
		names = append(names, r.params[i].Name)
	}
	if r.err == nil && r.env[name] == nil {
		r.err = fmt.Errorf("there is no parameter %s", name)
		if hint := spelling.Known("parameters", name, names); hint != "" {
			r.err = fmt.Errorf("there is no parameter %s: %s", name, hint)
		}
	}
}

// use adds a name.
func (e *Expr) use(name string) {
	for _, n := range e.Names {
		if n == name {
			return
		}
	}
	e.Names = append(e.Names, name)
}

var ordering = map[string]bool{"<": true, "<=": true, ">": true, ">=": true, "==": true, "!=": true}

func (r *reader) binary(n *ast.Node, x *ast.BinaryNode) {
	left, chained := x.Left.(*ast.BinaryNode)
	switch {
	case x.Operator == "/":
		if mark, ok := x.Right.(*ast.IdentifierNode); ok && mark.Value == floorMark {
			return // the division around it is the one that counts
		}
		name := divide
		if call, ok := x.Left.(*ast.BinaryNode); ok && call.Operator == "/" {
			name, x.Left = divideFloor, call.Left
		}
		ast.Patch(n, &ast.CallNode{Callee: &ast.IdentifierNode{Value: name}, Arguments: []ast.Node{x.Left, x.Right}})
	case ordering[x.Operator] && chained && ordering[left.Operator]:
		ast.Patch(n, &ast.BinaryNode{Operator: "and", Left: left,
			Right: &ast.BinaryNode{Operator: x.Operator, Left: left.Right, Right: x.Right}})
	}
}

func quotient(a, b any) (float64, error) {
	x, okX := Number(a)
	y, okY := Number(b)
	switch {
	case !okX || !okY:
		return 0, fmt.Errorf("%v / %v: both must be numbers", a, b)
	case y == 0:
		return 0, errZero
	}
	return x / y, nil
}

// Number is a value as a number, if it is one.
func Number(v any) (float64, bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case float64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// oneLine is an error of the package expr without the excerpt below it.
func oneLine(err error) error {
	if e, ok := errors.AsType[*file.Error](err); ok {
		if errors.Is(e, errZero) || strings.Contains(e.Message, "divide by zero") ||
			strings.Contains(e.Message, errZero.Error()) {
			return errZero
		}
		return errors.New(e.Message)
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(first)
}

// Value evaluates an expression.
func (e *Expr) Value(names map[string]any) (any, error) {
	v, err := expr.Run(e.program, names)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Source, oneLine(err))
	}
	return v, nil
}

// True evaluates a condition; a number other than 0 is true.
func (e *Expr) True(names map[string]any) (bool, error) {
	v, err := e.Value(names)
	if err != nil {
		return false, err
	}
	if b, ok := v.(bool); ok {
		return b, nil
	}
	n, ok := Number(v)
	if !ok {
		return false, fmt.Errorf("%s is %v: it must be true or false", e.Source, v)
	}
	return n != 0, nil
}

// Whole evaluates an expression that must give a whole number, not less than least.
func (e *Expr) Whole(names map[string]any, least int64) (int64, error) {
	v, err := e.Value(names)
	if err != nil {
		return 0, err
	}
	n, ok := Number(v)
	switch {
	case ok && n != math.Trunc(n):
		return 0, fmt.Errorf("%s is %s: it must be a whole number, as of ceil(...)", e.Source, shown(v))
	case !ok || math.Abs(n) > 1<<53:
		return 0, fmt.Errorf("%s is %s: it must be a whole number", e.Source, shown(v))
	case int64(n) < least:
		return 0, fmt.Errorf("%s is %s: it must be at least %d", e.Source, shown(v), least)
	}
	return int64(n), nil
}

func shown(v any) string {
	if f, ok := v.(float64); ok {
		return fmt.Sprintf("%.6g", f)
	}
	return fmt.Sprint(v)
}

// ParseExprs reads expressions with commas between them, which may stand in brackets, too.
func ParseExprs(text string, params []Param) (list []*Expr, err error) {
	for _, part := range splitList(text) {
		e, err := ParseExpr(part, params)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

// splitList cuts a text at the commas that stand in no brackets.
func splitList(text string) (parts []string) {
	depth, from := 0, 0
	for i, r := range text {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				parts, from = append(parts, text[from:i]), i+1
			}
		}
	}
	return append(parts, text[from:])
}
