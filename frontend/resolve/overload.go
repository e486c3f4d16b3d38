package resolve

import (
	"fmt"

	"gpupipe/frontend/ast"
	"gpupipe/internal/diag"
)

// Overload resolution (C++17 [over.match]): the functions that arguments fit, and the best of them.

// viable is a function that fits, with how each argument becomes its parameter.
type viable struct {
	f    *function
	seqs []sequence
	// object is set where the first sequence is of the object of a member function.
	object bool
}

// selectFunction chooses among functions, which may be templates. Where there is no best one, why says so.
func (c *checker) selectFunction(funcs []*function, object ast.Expr, args []ast.Expr, explicit templateArgs,
	pos diag.Pos) (best *function, why *failure) {
	var fits []viable
	var reasons []reason
	for _, f := range funcs {
		v, problem := c.fit(f, object, args, explicit, pos)
		if v == nil {
			reasons = append(reasons, reason{f, problem})
			continue
		}
		fits = append(fits, *v)
	}
	if len(fits) == 0 {
		return nil, &failure{reasons: reasons}
	}
	top, rival := bestOf(fits, func(a, b viable) bool { return c.betterFunction(&a, &b) > 0 })
	if rival >= 0 {
		return nil, &failure{ambiguous: []*function{fits[top].f, fits[rival].f}}
	}
	return fits[top].f, nil
}

// bestOf is the index of what is better than all others, and that of another which it is not better than, or -1.
func bestOf[T any](list []T, better func(a, b T) bool) (top, rival int) {
	for i := range list {
		if i != top && better(list[i], list[top]) {
			top = i
		}
	}
	for i := range list {
		if i != top && !better(list[top], list[i]) {
			return top, i
		}
	}
	return top, -1
}

// failure is why there is no best function.
type failure struct {
	reasons   []reason
	ambiguous []*function
}

// reason is why one function does not fit.
type reason struct {
	f    *function
	text string
}

// maxCandidates bounds the candidates that a message lists.
const maxCandidates = 5

// report makes an error of a failure.
func (c *checker) report(name string, why *failure, pos diag.Pos) ast.Expr {
	if len(why.ambiguous) > 0 {
		e := c.errorf(pos, codeType, "the call of %s is ambiguous", name)
		for _, f := range why.ambiguous {
			_ = e.WithNote("it may be %s at %v", c.display(f), f.pos)
		}
		return invalidAt(pos)
	}
	if len(why.reasons) == 1 {
		return c.fail(pos, "%s: %s", name, why.reasons[0].text)
	}
	e := c.errorf(pos, codeType, "no function %s fits these arguments", name)
	for i, r := range why.reasons {
		if i == maxCandidates {
			_ = e.WithNote("and %d more", len(why.reasons)-i)
			break
		}
		note := r.text
		if !c.isLibrary(r.f.pos) {
			note = fmt.Sprintf("%v: %s", r.f.pos, r.text)
		}
		_ = e.WithNote("%s", note)
	}
	return invalidAt(pos)
}

// fit is how the arguments become a function's parameters; nil where they do not, and why.
func (c *checker) fit(f *function, object ast.Expr, args []ast.Expr, explicit templateArgs, pos diag.Pos) (*viable,
	string) {
	if f.params != nil && f.tmpl == nil {
		instance, why := c.deduce(f, args, explicit, pos)
		if instance == nil {
			return nil, why
		}
		f = instance
	} else if explicit != nil && f.tmpl == nil {
		return nil, "it is not a template"
	}
	sig := c.signatureOf(f)
	if sig == nil {
		return nil, f.why()
	}
	if !c.meetsOwn(f) {
		return nil, "the arguments do not meet its constraints"
	}
	if len(args) > len(sig.params) && !sig.variadic {
		return nil, fmt.Sprintf("%s expected, %s given", countOf(len(sig.params), "argument"),
			countOf(len(args), "argument"))
	}
	v := &viable{f: f}
	if f.class != nil && f.kind != constructor {
		v.object = true
		v.seqs = append(v.seqs, sequence{rank: rankExact})
		if object != nil && !f.static {
			s := c.objectSequence(f, object)
			if s.rank == rankNone {
				return nil, "it is not const, and the object is"
			}
			v.seqs[0] = s
		}
	}
	for i, p := range sig.params {
		if i >= len(args) {
			if p.init == nil {
				return nil, fmt.Sprintf("%s expected, %s given", countOf(len(sig.params), "argument"),
					countOf(len(args), "argument"))
			}
			continue
		}
		s := c.sequenceTo(args[i], p.typ, true)
		if s.rank == rankNone {
			return nil, fmt.Sprintf("argument %d is %s, the parameter %s", i+1, c.spellArgument(args[i]),
				c.spellQual(p.typ))
		}
		v.seqs = append(v.seqs, s)
	}
	for i := len(sig.params); i < len(args); i++ {
		v.seqs = append(v.seqs, sequence{rank: rankEllipsis})
	}
	return v, ""
}

// spellArgument is the type of an argument in words.
func (c *checker) spellArgument(e ast.Expr) string {
	switch x := e.(type) {
	case *braceList:
		return "a list in braces"
	case *overloads:
		return "the function " + x.name
	}
	t := c.typeOf(e)
	t.ref = noRef
	return c.spellQual(t)
}

// objectSequence is how an object becomes what a member function is called for.
func (c *checker) objectSequence(f *function, object ast.Expr) sequence {
	from := c.typeOf(object)
	if from.isConst && !f.isConst || from.isVolatile && !f.isVolatile {
		return none
	}
	if f.refQualifier == lvalue && from.ref != lvalue && !f.isConst || f.refQualifier == rvalue && from.ref == lvalue {
		return none
	}
	s := sequence{rank: rankExact, isRef: true, bindsRvalue: f.refQualifier == rvalue}
	if f.isConst && !from.isConst {
		s.adjusted++
	}
	if f.isVolatile && !from.isVolatile {
		s.adjusted++
	}
	return s // what a using-declaration takes from a base counts as the class's own
}

// betterFunction compares two functions that fit: 1 where a is better, -1 where b is, else 0.
func (c *checker) betterFunction(a, b *viable) int {
	i, j := 0, 0
	if a.object != b.object { // a constructor has no object
		if a.object {
			i = 1
		} else {
			j = 1
		}
	}
	result := 0
	for ; i < len(a.seqs) && j < len(b.seqs); i, j = i+1, j+1 {
		switch d := better(a.seqs[i], b.seqs[j]); {
		case d == 0:
		case result == 0:
			result = d
		case result != d:
			return 0
		}
	}
	if result != 0 {
		return result
	}
	if d := ownConstructor(a.f, b.f, len(a.seqs)); d != 0 {
		return d
	}
	if a.object && b.object && (a.f.tmpl != nil) == (b.f.tmpl != nil) && c.sameSignature(a.f, b.f) {
		switch { // that of a derived class hides what a using-declaration takes from a base
		case c.derives(a.f.class.typ, b.f.class.typ):
			return 1
		case c.derives(b.f.class.typ, a.f.class.typ):
			return -1
		}
	}
	return c.lessGeneral(a.f, b.f, len(a.seqs))
}

// ownConstructor compares constructors for the same types of n arguments: 1 where b is inherited and a is the class's
// own, -1 where it is the other way round, else 0 ([over.match.best]/2.7).
func ownConstructor(a, b *function, n int) int {
	if a.kind != constructor || b.kind != constructor || (a.inheritedFrom == nil) == (b.inheritedFrom == nil) {
		return 0
	}
	for i := range n {
		if i >= len(a.sig.params) || i >= len(b.sig.params) || !sameQual(a.sig.params[i].typ, b.sig.params[i].typ) {
			return 0
		}
	}
	if b.inheritedFrom != nil {
		return 1
	}
	return -1
}

// lessGeneral compares two functions for the same types of n arguments: 1 where a is better, -1 where b is, else 0.
func (c *checker) lessGeneral(a, b *function, n int) int {
	switch {
	case a.tmpl != nil && b.tmpl != nil:
		if d := c.moreSpecialised(a.tmpl, b.tmpl, n); d != 0 {
			return d
		}
		return c.moreConstrained(a, b)
	case a.tmpl != nil:
		return -1
	case b.tmpl != nil:
		return 1
	}
	switch {
	case a.isGuide && !b.isGuide: // a written guide is better than a constructor's
		return 1
	case b.isGuide && !a.isGuide:
		return -1
	}
	return c.moreConstrained(a, b)
}

// quietlyIn is quietly in a scope.
func (c *checker) quietlyIn(s *scope, f func()) diag.List {
	defer c.inside(s)()
	return c.quietly(f)
}

// quietly runs f and tells whether it reported an error, which is kept from the user: a failed substitution removes a
// candidate and is not a mistake.
func (c *checker) quietly(f func()) (errs diag.List) {
	outer := c.errs
	c.errs = &errs
	c.quiet++
	f()
	c.quiet--
	c.errs = outer
	for _, e := range errs { // the depth of instances is no property of one substitution ([temp.inst])
		if e.Code == codeTemplate {
			c.blameOne(e)
		}
	}
	return errs
}
