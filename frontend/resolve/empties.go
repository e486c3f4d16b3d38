package resolve

import (
	"slices"

	"gpupipe/frontend/ctypes"
)

// emptyAt is an object of an empty class in one of another, at an offset: two of one class have two addresses
// ([intro.object] 9).
type emptyAt struct {
	of *class
	at int64
}

// emptiesOf are those in an object of a type.
func (c *checker) emptiesOf(t *ctypes.Type) (list []emptyAt) {
	if cl := c.classes[t]; cl != nil {
		return cl.empties
	}
	if t.Kind != ctypes.Array {
		return nil
	}
	for _, e := range c.emptiesOf(t.Elem) {
		for i := range min(t.Len, 64) { // only the first may lie where another does
			list = append(list, emptyAt{e.of, e.at + i*t.Elem.Size()})
		}
	}
	return list
}

// addEmpties notes the empty objects of a part at an offset; it does not where another of their class lies at one.
func (cl *class) addEmpties(list []emptyAt, at int64) bool {
	for _, e := range list {
		if slices.Contains(cl.empties, emptyAt{e.of, at + e.at}) {
			return false
		}
	}
	for _, e := range list {
		cl.empties = append(cl.empties, emptyAt{e.of, at + e.at})
	}
	return true
}

// placeEmpty finds the place of an empty base or member behind fields (Itanium C++ ABI, 2.4, II).
func (cl *class) placeEmpty(of *class, fields []ctypes.Field) (at int64) {
	for !cl.addEmpties(of.empties, at) {
		so := ctypes.Type{Kind: ctypes.Struct}
		so.LayOut(slices.Clone(fields), cl.pack(), 1)
		at = max(at+of.typ.Align(), so.Filled())
	}
	return at
}

// appendApart appends a member, behind padding where it would bring two objects of an empty class to one address.
func (c *checker) appendApart(cl *class, f ctypes.Field, fields *[]ctypes.Field) {
	*fields = append(*fields, f)
	list := c.emptiesOf(f.Type)
	if cl.typ.Kind == ctypes.Union {
		cl.empties = append(cl.empties, list...)
		return
	}
	for len(list) > 0 {
		so := &ctypes.Type{Kind: ctypes.Struct}
		so.LayOut(slices.Clone(*fields), cl.pack(), 1)
		last := len(*fields) - 1
		if cl.addEmpties(list, so.Fields[last].Offset) {
			return
		}
		(*fields)[last].Behind += f.Type.Align()
	}
}
