package load

import (
	"reflect"

	"gpupipe/frontend/encoding"

	"modernc.org/cc/v4"
)

// fillDefaults gives the calls of functions with default arguments (kl_default
// attributes) the arguments that they leave out. The expressions are shared by
// all calls; their positions are those of the declaration.
func (p *Parsed) fillDefaults() {
	defaults := map[string][]cc.ExpressionNode{}
	for tu := p.AST.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		ed := tu.ExternalDeclaration
		if ed.FunctionDefinition != nil {
			collectDefaults(defaults, ed.FunctionDefinition.Declarator)
		} else if ed.Declaration != nil {
			for l := ed.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
				collectDefaults(defaults, l.InitDeclarator.Declarator)
			}
		}
	}
	p.Defaults = defaults
	if len(defaults) == 0 {
		return
	}
	for tu := p.AST.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		if fd := tu.ExternalDeclaration.FunctionDefinition; fd != nil {
			eachCall(reflect.ValueOf(fd.CompoundStatement), func(call *cc.PostfixExpression) { completeCall(call, defaults) })
		}
	}
}

// collectDefaults notes the default of every parameter of a function that has
// any; the first declaration with a default counts, as C++ allows no second.
func collectDefaults(defaults map[string][]cc.ExpressionNode, d *cc.Declarator) {
	if d == nil || d.DirectDeclarator == nil || d.DirectDeclarator.Case != cc.DirectDeclaratorFuncParam || d.DirectDeclarator.ParameterTypeList == nil {
		return
	}
	var values []cc.ExpressionNode
	found := false
	for l := d.DirectDeclarator.ParameterTypeList.ParameterList; l != nil; l = l.ParameterList {
		var value cc.ExpressionNode
		if v := encoding.AttributeNamed(encoding.AttributesOf(nil, l.ParameterDeclaration.AttributeSpecifierList), encoding.AttrDefault); v != nil && v.ArgumentExpressionList != nil {
			value = v.ArgumentExpressionList.AssignmentExpression
			found = true
		}
		values = append(values, value)
	}
	if name := d.Name(); found && defaults[name] == nil {
		defaults[name] = values
	}
}

// completeCall adds the arguments that a call leaves out.
func completeCall(call *cc.PostfixExpression, defaults map[string][]cc.ExpressionNode) {
	f, ok := call.PostfixExpression.(*cc.PrimaryExpression)
	if !ok || f.Case != cc.PrimaryExpressionIdent {
		return
	}
	values := defaults[f.Token.SrcStr()]
	last := &call.ArgumentExpressionList
	n := 0
	for ; *last != nil; n++ {
		last = &(*last).ArgumentExpressionList
	}
	for ; n < len(values) && values[n] != nil; n++ {
		*last = &cc.ArgumentExpressionList{AssignmentExpression: values[n]}
		last = &(*last).ArgumentExpressionList
	}
}

var (
	nodeType  = reflect.TypeFor[cc.Node]()
	tokenType = reflect.TypeFor[cc.Token]()
)

// eachCall visits the calls of a subtree. The tree's lists are long and linked
// by a member of their own type, which is followed without recursion.
func eachCall(v reflect.Value, visit func(*cc.PostfixExpression)) {
	for v.IsValid() {
		if v.Kind() == reflect.Interface {
			v = v.Elem()
			continue
		}
		if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
			return
		}
		if call, ok := v.Interface().(*cc.PostfixExpression); ok && call.Case == cc.PostfixExpressionCall {
			visit(call)
		}
		node, next := v.Elem(), reflect.Value{}
		for i := range node.NumField() {
			switch f := node.Type().Field(i); {
			case !f.IsExported() || f.Type == tokenType || !f.Type.Implements(nodeType):
			case f.Type == v.Type():
				next = node.Field(i)
			default:
				eachCall(node.Field(i), visit)
			}
		}
		v = next
	}
}
