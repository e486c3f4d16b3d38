package frontend

// Lambdas that are variables of a function and called in it become functions inside the function, which
// infer_lambda.go writes out at their calls:
//
//	auto f = [&](int a) { ... };           __kl_auto f(int a) { ... };
//	auto g = [=](int a) -> float { ... };  float g(int a) { ... };
//
// Whatever is captured by value is taken as captured by reference.

// lambda rewrites the one whose [ is token i; false means that it is of another kind.
func (r *rewriter) lambda(i int) bool {
	equals := r.prev(i)
	name := r.prev(equals)
	auto := r.prev(name)
	closing := r.shape.closing(i)
	if !r.is(equals, "=") || r.kindOf(name) != tokIdent || !r.is(auto, "auto") || closing < 0 {
		return false
	}
	params := r.next(closing)
	for r.is(params, "__device__") || r.is(params, "__host__") {
		r.blank(params, params+1)
		params = r.next(params)
	}
	body := params
	if r.is(params, "(") {
		body = r.next(r.shape.closing(params))
	}
	for r.is(body, "mutable") || r.is(body, "noexcept") || r.is(body, "constexpr") {
		r.blank(body, body+1)
		body = r.next(body)
	}
	if r.is(body, "->") {
		open := r.find(body, len(r.toks), "{")
		first, last := r.next(body), r.prev(open)
		if open >= len(r.toks) || first > last {
			return false
		}
		r.replace(auto, r.text[r.toks[first].start:r.toks[last].end])
		r.dead[auto] = true
		r.blank(body, open)
		body = open
	}
	if !r.is(body, "{") {
		return false
	}
	if !r.is(params, "(") {
		r.before(body, "(void) ")
	} else {
		for k := r.next(params); k < r.shape.closing(params); k = r.next(k) {
			if r.is(k, "&") {
				r.replace(k, " "+macroReference+" ")
				r.dead[k] = true
			}
		}
	}
	r.blank(equals, equals+1)
	r.blank(i, closing+1)
	return true
}
