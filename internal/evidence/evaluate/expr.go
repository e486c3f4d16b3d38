package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"strconv"
)

// expr is an arithmetic expression over named numbers.
type expr struct {
	text string
	tree ast.Expr
}

// parseExpr reads an expression: numbers, names, + - * / (of real numbers) and %,
// brackets, the functions ceil, floor, min and max, and comparisons joined by && and ||,
// which are 1 or 0.
func parseExpr(text string) (*expr, error) {
	tree, err := parser.ParseExpr(text)
	if err != nil {
		return nil, fmt.Errorf("%q is not an expression: %w", text, err)
	}
	return &expr{text, tree}, nil
}

// value evaluates the expression.
func (e *expr) value(names map[string]float64) (float64, error) {
	v, err := evaluateExpr(e.tree, names)
	if err != nil {
		return 0, fmt.Errorf("%q: %w", e.text, err)
	}
	return v, nil
}

// whole evaluates an expression that must give a whole number, not less than least.
func (e *expr) whole(names map[string]float64, least int64) (int64, error) {
	v, err := e.value(names)
	if err != nil {
		return 0, err
	}
	if v != math.Trunc(v) || v < float64(least) || v > 1<<40 {
		return 0, fmt.Errorf("%q is %v; it must be a whole number, at least %d", e.text, v, least)
	}
	return int64(v), nil
}

func evaluateExpr(x ast.Expr, names map[string]float64) (float64, error) {
	switch x := x.(type) {
	case *ast.BasicLit:
		if x.Kind == token.INT || x.Kind == token.FLOAT {
			return strconv.ParseFloat(x.Value, 64)
		}
	case *ast.Ident:
		if v, ok := names[x.Name]; ok {
			return v, nil
		}
		return 0, fmt.Errorf("there is no parameter %s that is a number", x.Name)
	case *ast.ParenExpr:
		return evaluateExpr(x.X, names)
	case *ast.UnaryExpr:
		if x.Op == token.SUB {
			v, err := evaluateExpr(x.X, names)
			return -v, err
		}
	case *ast.BinaryExpr:
		return evaluateBinary(x, names)
	case *ast.CallExpr:
		return evaluateCall(x, names)
	}
	return 0, fmt.Errorf("an expression has numbers, names, + - * / %% < <= > >= == != && || and the functions ceil, " +
		"floor, min and max only")
}

func evaluateBinary(x *ast.BinaryExpr, names map[string]float64) (float64, error) {
	a, err := evaluateExpr(x.X, names)
	if err != nil {
		return 0, err
	}
	b, err := evaluateExpr(x.Y, names)
	if err != nil {
		return 0, err
	}
	switch x.Op {
	case token.ADD:
		return a + b, nil
	case token.SUB:
		return a - b, nil
	case token.MUL:
		return a * b, nil
	case token.QUO:
		if b == 0 {
			return 0, fmt.Errorf("division by zero")
		}
		return a / b, nil
	case token.REM:
		if b == 0 {
			return 0, fmt.Errorf("remainder of a division by zero")
		}
		return math.Mod(a, b), nil
	case token.LSS:
		return truth(a < b), nil
	case token.LEQ:
		return truth(a <= b), nil
	case token.GTR:
		return truth(a > b), nil
	case token.GEQ:
		return truth(a >= b), nil
	case token.EQL:
		return truth(a == b), nil
	case token.NEQ:
		return truth(a != b), nil
	case token.LAND:
		return truth(a != 0 && b != 0), nil
	case token.LOR:
		return truth(a != 0 || b != 0), nil
	}
	return 0, fmt.Errorf("there is no operator %s", x.Op)
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func evaluateCall(x *ast.CallExpr, names map[string]float64) (float64, error) {
	var args []float64
	for _, a := range x.Args {
		v, err := evaluateExpr(a, names)
		if err != nil {
			return 0, err
		}
		args = append(args, v)
	}
	name, ok := x.Fun.(*ast.Ident)
	switch {
	case !ok:
	case name.Name == "ceil" && len(args) == 1:
		return math.Ceil(args[0]), nil
	case name.Name == "floor" && len(args) == 1:
		return math.Floor(args[0]), nil
	case name.Name == "min" && len(args) == 2:
		return math.Min(args[0], args[1]), nil
	case name.Name == "max" && len(args) == 2:
		return math.Max(args[0], args[1]), nil
	}
	return 0, fmt.Errorf("the functions are ceil(a), floor(a), min(a, b) and max(a, b)")
}
