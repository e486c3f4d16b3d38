package syntax

import (
	"reflect"
	"sync"
)

// Visit calls f for every node below x, x too, until f returns false for one. Bodies are parsed.
func Visit(x any, f func(any) bool) { visitValue(reflect.ValueOf(x), f) }

var (
	posType         = reflect.TypeOf(Pos{})
	templateArgType = reflect.TypeOf(TemplateArg{})
)

func visitValue(v reflect.Value, f func(any) bool) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			visitValue(v.Elem(), f)
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if v.Elem().Kind() != reflect.Struct { // a list of arguments
			visitValue(v.Elem(), f)
			return
		}
		if b, ok := v.Interface().(*Body); ok {
			b.Parse()
		}
		if !f(v.Interface()) {
			return
		}
		visitValue(v.Elem(), f)
	case reflect.Struct:
		t := v.Type()
		if t == templateArgType && v.CanAddr() && !f(v.Addr().Interface()) {
			return
		}
		for _, i := range nodesIn(t) {
			visitValue(v.Field(i), f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			visitValue(v.Index(i), f)
		}
	}
}

// nodeFields are the fields of structs that hold nodes, by reflect.Type: a tree is visited often, and asking for them
// takes longer than visiting.
var nodeFields sync.Map

func nodesIn(t reflect.Type) []int {
	if list, ok := nodeFields.Load(t); ok {
		return list.([]int)
	}
	var list []int
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && holdsNodes(f.Type) {
			list = append(list, i)
		}
	}
	nodeFields.Store(t, list)
	return list
}

func holdsNodes(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface, reflect.Pointer:
		return true
	case reflect.Slice:
		return holdsNodes(t.Elem())
	case reflect.Struct:
		return t != posType
	}
	return false
}
