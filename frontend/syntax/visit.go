package syntax

import "reflect"

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
		if v.Type() == posType {
			return
		}
		if v.Type() == templateArgType && v.CanAddr() && !f(v.Addr().Interface()) {
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
