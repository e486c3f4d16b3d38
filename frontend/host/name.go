package host

import "gpupipe/frontend/ctypes"

// name reads a name with what belongs to it: a variable, a constant, a call, or a value made of
// a type.
func (e *expression) name() Value {
	i := e.k
	switch e.at(i) {
	case "true", "false":
		e.k++
		return number(ctypes.Value{Type: ctypes.Scalar(ctypes.Bool), Int: ctypes.BoolValue(e.is(i, "true")).Int})
	case "static_cast", "reinterpret_cast", "const_cast":
		return e.namedCast()
	case "new", "delete", "throw", "operator", "nullptr", "this", "typeid", "noexcept", "alignof", "decltype":
		return e.fail()
	}
	end, last := e.typeName(i)
	if last < i || end > e.end || e.is(last, ">") && !e.is(end, "(") {
		end, last = i+1, i // a comparison
	}
	name, qualifier := last, ""
	if e.is(last, ">") {
		for name = i; !e.is(name+1, "<"); name++ {
		}
	}
	if name > i {
		qualifier = e.at(i)
		if e.is(i+1, "<") || !e.spaces[qualifier] {
			qualifier = "?"
		}
	}
	if t, n := e.typeAt(i, e.typesHere()); n >= end && n < e.end && (t.kind != 0 || t.isDim3) && (e.is(n, "(") || e.is(n, "{")) && e.isTypeName(i, n) {
		return e.construct(t, n)
	}
	e.k = end
	if c := e.closing(end); e.peek() == "(" && c > 0 && c < e.end {
		e.k = c + 1
		return e.call(e.at(name), qualifier, name, end)
	}
	return e.variable(e.at(name), qualifier, i)
}

// construct is dim3(4, 4), int(x) or the like with braces.
func (e *expression) construct(t variableType, open int) Value {
	c := e.closing(open)
	if c < 0 || c >= e.end {
		return e.fail()
	}
	e.k = c + 1
	args := e.arguments(open)
	switch {
	case t.isDim3:
		return dim3Of(args)
	case len(args) == 0:
		return number(ctypes.IntValue(ctypes.Int, 0)).as(t)
	case len(args) == 1:
		return args[0].as(t)
	}
	return e.fail()
}

// namedCast is static_cast<T>(x).
func (e *expression) namedCast() Value {
	open := e.k + 1
	closing := e.closingAngle(open)
	paren := closing + 1
	c := e.closing(paren)
	if closing < 0 || !e.is(paren, "(") || c < 0 || c >= e.end {
		return e.fail()
	}
	t, n := e.typeAt(open+1, e.typesHere())
	e.k = c + 1
	if n != closing {
		return unknownf("%s is not understood (%s)", e.quote(open-1, c+1), e.line(open))
	}
	return e.eval(paren+1, c).as(t)
}

// variable is the value of a variable or constant.
func (e *expression) variable(name, qualifier string, at int) Value {
	if qualifier == "?" {
		return unknownf("%s of %s is not known (%s)", name, e.at(at), e.line(at))
	}
	if qualifier == "" {
		if v := e.env.find(name); v != nil && !v.isType {
			return v.value
		}
		if e.fn != nil && e.fn.member && e.globals[name] != nil && !e.globals[name].constant {
			return unknownf("%s may be a member of an object (%s)", name, e.line(at))
		}
	}
	v := e.globals[name]
	if v == nil {
		return unknownf("%s is not declared in what was read (%s)", name, e.line(at))
	}
	if k, ok := e.changed[name]; ok && !v.constant {
		return unknownf("%s may be changed (%s)", name, e.line(k))
	}
	return v.value
}

// call is the value of a call. The name stands at token at, its arguments open at token open.
func (e *expression) call(name, qualifier string, at, open int) Value {
	args := e.arguments(open)
	v := unknownf("what %s() gives is not known (%s)", name, e.line(at))
	if qualifier == "" && e.env.find(name) != nil { // a lambda, or a functor
		return v
	}
	if list := e.funcs[name]; len(list) > 0 && qualifier != "std" && qualifier != "?" {
		if f := e.callee(name, open); f != nil {
			v = e.result(f, at, open, args)
		}
	} else if qualifier == "" || qualifier == "std" {
		if w, ok := libraryCall(name, args); ok {
			return w
		}
		return v
	}
	for _, a := range args { // a reason nearer to the cause
		if !v.Known() && !a.Known() && qualifier != "?" {
			return a
		}
	}
	return v
}
