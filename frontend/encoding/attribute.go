package encoding

import "modernc.org/cc/v4"

// AttributesOf returns the values of all attributes of a declaration: those
// among its specifiers (of a function definition or a declaration), those that
// follow the declarator (nil for a function definition), in source order.
func AttributesOf(ds *cc.DeclarationSpecifiers, after *cc.AttributeSpecifierList) (values []*cc.AttributeValue) {
	add := func(l *cc.AttributeSpecifierList) {
		for ; l != nil; l = l.AttributeSpecifierList {
			for v := l.AttributeSpecifier.AttributeValueList; v != nil; v = v.AttributeValueList {
				if v.AttributeValue != nil {
					values = append(values, v.AttributeValue)
				}
			}
		}
	}
	for ; ds != nil; ds = ds.DeclarationSpecifiers {
		if ds.Case == cc.DeclarationSpecifiersAttr {
			add(ds.AttributeSpecifierList)
		}
	}
	add(after)
	return values
}

// AttributeNamed returns the last of the values called name, or nil.
func AttributeNamed(values []*cc.AttributeValue, name string) (found *cc.AttributeValue) {
	for _, v := range values {
		if s := v.Token.SrcStr(); s == name || s == "__"+name+"__" {
			found = v
		}
	}
	return found
}
