package syntax

import (
	"slices"

	"gpupipe/frontend/preprocess"
)

// Whether a statement is a declaration or an expression.

// isDeclaration tells a declaration from an expression where a statement begins.
func (p *parser) isDeclaration() bool {
	t := p.peek()
	if t.Kind != preprocess.Ident && !t.Is("::") {
		return false
	}
	switch word := t.Text; {
	case typeWords[word]:
		return !p.at(1).Is("(") && !p.at(1).Is("{") || p.declaresInParens()
	case p.flag(&Specifiers{}, word, inDecl) || p.qualifier(&Quals{}, word) || p.isAttributeWord(word):
		return true
	case p.isKeyword(word):
		switch word {
		case "struct", "union", "enum", "auto", "__auto_type", "_Static_assert", "__attribute__", "_Alignas", "typeof",
			"__typeof__", "__typeof",
			"class", "using", "template", "static_assert", "alignas", "namespace":
			return word != "class" && word != "using" && word != "template" && word != "static_assert" &&
				word != "alignas" && word != "namespace" || p.Language == CUDA
		case "typename", "decltype":
			return p.Language == CUDA && p.declares()
		}
	}
	if keywords[t.Text] && p.isKeyword(t.Text) {
		return false
	}
	return p.declares()
}

// declaresInParens: int (*p)[4], int (C::*p)(int).
func (p *parser) declaresInParens() bool {
	return p.at(1).Is("(") && p.closesDeclarator(1) && p.refers(2)
}

// refers reports whether the operator of a pointer or reference stands so many tokens on.
func (p *parser) refers(n int) bool {
	t := p.at(n)
	return t.Is("*") || t.Is("&") || t.Is("&&") || p.pointsToMember(n)
}

// pointsToMember reports whether C::* stands so many tokens on.
func (p *parser) pointsToMember(n int) (found bool) {
	p.try(func() bool {
		p.i += n
		found = p.memberPointer()
		return false
	})
	return found
}

// closesDeclarator reports whether a declarator in parentheses is followed by an array or parameters.
func (p *parser) closesDeclarator(n int) bool {
	end := p.match[p.i+n]
	return end > 0 && int(end)+1 < len(p.tokens) && (p.tokens[end+1].Is("[") || p.tokens[end+1].Is("("))
}

// declares reports whether a type by name and a declarator begin here.
func (p *parser) declares() (yes bool) {
	p.try(func() bool {
		s := &Specifiers{}
		if p.is("typename") || p.is("decltype") {
			if !p.typeSpec(s, inType) {
				return false
			}
			switch t := p.peek(); {
			case t.Is("*") || t.Is("&") || t.Is("&&"): // or decltype(x)::value * y
				yes = p.try(func() bool { p.declarator(named); return true }) &&
					slices.ContainsFunc([]string{"=", ";", ",", "{", ":"}, p.is)
			default:
				yes = t.Is("::") || t.Kind == preprocess.Ident && precedence[t.Text] == 0
			}
			return false
		}
		n := p.name()
		k := p.kindOf(n)
		t := p.peek()
		switch {
		case p.is("auto"): // of a concept
			yes = true
		case k.kind == valueName || k.kind == namespaceName:
		case k.kind == unknownName && len(n.Parts) == 1 && p.startsWithKeyword(0): // a macro in front of a type
			yes = true
		case p.isName(0) || t.Is("operator"):
			yes = precedence[t.Text] == 0 || p.Language != CUDA
		case k.kind == typeName && (t.Is("*") || t.Is("&") || t.Is("&&")):
			yes = true
		case k.kind == typeName && t.Kind == preprocess.Ident:
			yes = p.qualifier(&Quals{}, t.Text) || p.flag(&Specifiers{}, t.Text, inDecl)
		case k.kind == typeName && t.Is("("):
			yes = p.closesDeclarator(0) && p.refers(1)
		case k.kind == unknownName && t.Kind == preprocess.Ident:
			yes = p.qualifier(&Quals{}, t.Text)
		case k.kind == unknownName && (t.Is("*") || t.Is("&")): // a * b; computes nothing
			m := 1
			for p.at(m).Is("*") || p.at(m).Is("&") || p.at(m).Is("const") || p.at(m).Text == "__restrict__" {
				m++
			}
			next := p.at(m + 1)
			yes = p.isName(m) && (next.Is(";") || next.Is("=") || next.Is(",") || next.Is("[") || next.Is(":"))
		}
		return false
	})
	return yes
}
