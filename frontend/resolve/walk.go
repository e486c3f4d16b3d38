package resolve

import (
	"fmt"
	"reflect"

	"gpupipe/frontend/syntax"
)

// visit calls f for every node below x, x too, until f returns false for one.
func visit(x any, f func(any) bool) { visitValue(reflect.ValueOf(x), f) }

var posType = reflect.TypeOf(syntax.Pos{})

func visitValue(v reflect.Value, f func(any) bool) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			visitValue(v.Elem(), f)
		}
	case reflect.Pointer:
		if v.IsNil() || v.Elem().Kind() != reflect.Struct {
			return
		}
		if b, ok := v.Interface().(*syntax.Body); ok {
			b.Parse()
		}
		if !f(v.Interface()) {
			return
		}
		visitValue(v.Elem(), f)
	case reflect.Struct:
		if v.Type() == posType {
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				visitValue(v.Field(i), f)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			visitValue(v.Index(i), f)
		}
	}
}

// mentions reports whether a name occurs below x.
func mentions(x any, ident string) (found bool) {
	visit(x, func(n any) bool {
		switch n := n.(type) {
		case *syntax.Name:
			if !n.Global && len(n.Parts) > 0 && n.Parts[0].Ident == ident {
				found = true
			}
		case *syntax.SizeOf:
			if n.Pack == ident {
				found = true
			}
		}
		return !found
	})
	return found
}

// sourceOf prints names and literals below x, which tells patterns apart.
func sourceOf(x any) string {
	s := ""
	visit(x, func(n any) bool {
		switch n := n.(type) {
		case *syntax.Name:
			s += spelled(n) + " "
		case *syntax.Lit:
			s += n.Text + " "
		case *syntax.Builtin:
			s += fmt.Sprint(n.Words)
		case *syntax.Unary:
			s += n.Op
		case *syntax.Binary:
			s += n.Op + "("
		case *syntax.PointerOp:
			s += "*"
		case *syntax.RefOp:
			s += "&"
		case *syntax.ArrayOp:
			s += "[]"
		case *syntax.Specifiers:
			if n.Quals.Const {
				s += "const "
			}
		}
		return true
	})
	return s
}
