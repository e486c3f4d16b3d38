package load

import (
	"gpupipe/frontend/encoding"
	"gpupipe/frontend/tokens"
)

// Lambdas that are variables of a function and called in it, or called where they stand, become functions inside
// the function, which typing writes out at their calls:
//
//	auto f = [&](int a) { ... };           __kl_auto f(int a) { ... };
//	auto g = [=](int a) -> float { ... };  float g(int a) { ... };
//	[&](int a) { ... }(3)                  ({ __kl_auto __kl_called(int a) { ... } __kl_called(3); })
//	f([&](int a) { ... })                  f(({ __kl_auto __kl_passed(int a) { ... } __kl_passed; }))
//
// Whatever is captured by value is taken as captured by reference.

// lambdaParts are the tokens of a lambda, whose [ is first.
type lambdaParts struct {
	first, captures int // the brackets
	params          int // the ( of the parameters, or the body
	body, end       int // the braces
	result          string
}

// lambda rewrites the one whose [ is token i; false means that it is of another kind.
func (r *rewriter) lambda(i int) bool {
	l, ok := r.lambdaAt(i)
	if !ok {
		return false
	}
	equals := r.Prev(i)
	name := r.Prev(equals)
	auto := r.Prev(name)
	reference := r.Is(auto, "&") || r.Is(auto, "&&")
	if reference { // to the lambda: const auto &f = [&] ...
		auto = r.Prev(auto)
	}
	called := r.Is(r.Next(l.end), "(") && r.Shape.Closing(r.Next(l.end)) > 0
	result := l.result
	if result == "" {
		result = encoding.TypeAuto
	}
	switch {
	case !called && r.isArgument(i, l.end):
		r.before(i, "({ "+result+" "+encoding.PassedLambda)
		r.behind(l.end, " "+encoding.PassedLambda+"; })")
	case called:
		r.before(i, "({ "+result+" "+encoding.CalledLambda)
		r.behind(l.end, " "+encoding.CalledLambda)
		r.behind(r.Shape.Closing(r.Next(l.end)), "; })")
	case r.Is(equals, "=") && r.KindOf(name) == tokens.Ident && r.Is(auto, "auto"):
		if l.result != "" {
			r.replace(auto, l.result)
			r.dead[auto] = true
		}
		if reference {
			r.blank(r.Next(auto), name)
		}
		r.blank(equals, equals+1)
	default:
		return false
	}
	r.lambdaParameters(l)
	r.blank(l.first, l.captures+1)
	return true
}

// isArgument reports whether tokens i to end are an argument of a call.
func (r *rewriter) isArgument(i, end int) bool {
	open := int(r.Shape.Parent[i])
	p, n := r.Prev(i), r.Next(end)
	before := r.Prev(open)
	return open >= 0 && r.Is(open, "(") && (r.callee(before) || r.Is(before, "}") && r.Shape.Closing(r.Prev(before)) == before) && // T{}(
		(p == open || r.Is(p, ",")) && (r.Is(n, ",") || r.Is(n, ")"))
}

// lambdaAt finds the parts of the lambda whose [ is token i, and takes out what a function has not: words about it
// and, behind its parameters, its result.
func (r *rewriter) lambdaAt(i int) (l lambdaParts, ok bool) {
	l.first, l.captures = i, r.Shape.Closing(i)
	if l.captures < 0 {
		return l, false
	}
	l.params = r.Next(l.captures)
	for r.Is(l.params, "__device__") || r.Is(l.params, "__host__") {
		r.blank(l.params, l.params+1)
		l.params = r.Next(l.params)
	}
	l.body = l.params
	if r.Is(l.params, "(") {
		l.body = r.Next(r.Shape.Closing(l.params))
	}
	for r.Is(l.body, "mutable") || r.Is(l.body, "noexcept") || r.Is(l.body, "constexpr") {
		r.blank(l.body, l.body+1)
		l.body = r.Next(l.body)
	}
	if r.Is(l.body, "->") {
		open := r.Find(l.body, len(r.Tokens), "{")
		first, last := r.Next(l.body), r.Prev(open)
		if open >= len(r.Tokens) || first > last {
			return l, false
		}
		l.result = r.Text[r.Tokens[first].Start:r.Tokens[last].End]
		r.blank(l.body, open)
		l.body = open
	}
	l.end = r.Shape.Closing(l.body)
	return l, r.Is(l.body, "{") && l.end > 0
}

// lambdaParameters rewrites the parameters, those that are references among them.
func (r *rewriter) lambdaParameters(l lambdaParts) {
	if !r.Is(l.params, "(") {
		r.before(l.body, "(void) ")
		return
	}
	for k := r.Next(l.params); k < r.Shape.Closing(l.params); k = r.Next(k) {
		if r.Is(k, "&") {
			r.replace(k, " "+encoding.MacroReference+" ")
			r.dead[k] = true
		}
	}
}
