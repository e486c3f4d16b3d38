package frontend

import "gpupipe/frontend/tokens"

// Lambdas that are variables of a function and called in it become functions inside the function, which
// infer_lambda.go writes out at their calls:
//
//	auto f = [&](int a) { ... };           __kl_auto f(int a) { ... };
//	auto g = [=](int a) -> float { ... };  float g(int a) { ... };
//
// Whatever is captured by value is taken as captured by reference.

// lambda rewrites the one whose [ is token i; false means that it is of another kind.
func (r *rewriter) lambda(i int) bool {
	equals := r.Prev(i)
	name := r.Prev(equals)
	auto := r.Prev(name)
	closing := r.Shape.Closing(i)
	if !r.Is(equals, "=") || r.KindOf(name) != tokens.Ident || !r.Is(auto, "auto") || closing < 0 {
		return false
	}
	params := r.Next(closing)
	for r.Is(params, "__device__") || r.Is(params, "__host__") {
		r.blank(params, params+1)
		params = r.Next(params)
	}
	body := params
	if r.Is(params, "(") {
		body = r.Next(r.Shape.Closing(params))
	}
	for r.Is(body, "mutable") || r.Is(body, "noexcept") || r.Is(body, "constexpr") {
		r.blank(body, body+1)
		body = r.Next(body)
	}
	if r.Is(body, "->") {
		open := r.Find(body, len(r.Tokens), "{")
		first, last := r.Next(body), r.Prev(open)
		if open >= len(r.Tokens) || first > last {
			return false
		}
		r.replace(auto, r.Text[r.Tokens[first].Start:r.Tokens[last].End])
		r.dead[auto] = true
		r.blank(body, open)
		body = open
	}
	if !r.Is(body, "{") {
		return false
	}
	if !r.Is(params, "(") {
		r.before(body, "(void) ")
	} else {
		for k := r.Next(params); k < r.Shape.Closing(params); k = r.Next(k) {
			if r.Is(k, "&") {
				r.replace(k, " "+macroReference+" ")
				r.dead[k] = true
			}
		}
	}
	r.blank(equals, equals+1)
	r.blank(i, closing+1)
	return true
}
