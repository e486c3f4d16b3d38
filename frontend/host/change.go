package host

import (
	"slices"
	"strings"
)

// What host code does to a variable other than declaring it: assignments, and whatever may be
// one. Where it is not certain that a variable keeps its value, the value is not known.

var assignments = []string{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}

// assigned visits the names that tokens i to j may change, each with its token. forever says that
// the variable may change at any time from then on: its address is taken.
func (c *code) assigned(i, j int, visit func(name string, at int, forever bool)) {
	for k := max(i, 0); k < j; k++ {
		if c.kindOf(k) != Word || c.is(k-1, ".") || c.is(k-1, "->") {
			continue
		}
		p, n := k-1, k+1
		if c.is(n, ".") && axisOf(c.at(n+1)) >= 0 { // grid.x = 4
			n = n + 2
		}
		switch {
		case slices.Contains(assignments, c.at(n)) && c.kindOf(n) == Mark && !c.declares(k):
			visit(c.at(k), k, false)
		case c.is(n, "++"), c.is(n, "--"), c.is(p, "++"), c.is(p, "--"):
			visit(c.at(k), k, false)
		case c.is(p, "&") && !c.operand(p-1):
			visit(c.at(k), k, true)
		case c.is(p, ">>") && c.kindOf(p-1) == Word, c.is(p, ">>") && c.shiftChain(p):
			visit(c.at(k), k, false)
		case (c.is(p, "(") || c.is(p, ",")) && (c.is(n, ",") || c.is(n, ")")) && c.mayChange(k):
			visit(c.at(k), k, false)
		}
	}
}

// declares reports whether the name at token k, in front of =, is being declared.
func (c *code) declares(k int) bool {
	p := k - 1
	switch {
	case c.kindOf(p) == Word:
		return !c.is(p, "else") && !c.is(p, "do") && !c.is(p, "return")
	case c.is(p, ">") || c.is(p, "*") || c.is(p, "&"):
		return c.operand(p-1) && !c.is(p-1, ")")
	}
	return false
}

// operand reports whether an operand ends at token p.
func (c *code) operand(p int) bool {
	if k := c.kindOf(p); k != Mark {
		return k != 0 && !c.is(p, "return")
	}
	return c.is(p, ")") || c.is(p, "]")
}

// shiftChain reports whether the >> at token p follows another one: cin >> a >> b.
func (c *code) shiftChain(p int) bool {
	for q := p - 1; q >= 0 && !c.is(q, ";") && !c.is(q, "{") && !c.is(q, "}") && !c.is(q, "("); q-- {
		if c.is(q, ">>") {
			return true
		}
	}
	return false
}

// keepsArguments are functions of the libraries that take numbers by value, beside those that
// begin with one of keepsPrefixes.
var (
	keepsArguments = strings.Fields(`malloc calloc realloc free memset memcpy memcmp assert exit abort min max fmin fmax abs fabs sqrt sqrtf pow powf ceil ceilf floor floorf
		round roundf log logf log2 log2f log10 exp expf exp2 printf fprintf sprintf snprintf puts atoi atof rand srand srand48 drand48 fill fill_n generate iota vector string
		setw setprecision to_string sizeof alignof decltype if while for switch return catch dim3 int float double long unsigned char short bool size_t
		push_back emplace_back resize reserve assign width precision accumulate aligned_alloc posix_memalign usleep
		hipLaunchKernelGGL hipLaunchKernel`)
	keepsPrefixes = []string{"cuda", "hip", "cublas", "cufft", "curand", "cusparse", "cusolver", "cudnn", "nccl", "make_"}
)

// mayChange reports whether the call that takes the bare name at token k as an argument may
// change it, by a reference.
func (c *code) mayChange(k int) bool {
	open := c.outer(k)
	if open < 0 || !c.is(open, "(") {
		return false // braces and subscripts
	}
	callee := open - 1
	if c.is(callee, ">") { // a cast, or a template
		for callee > 0 && !c.is(callee, "<") {
			callee--
		}
		callee--
		if name := c.at(callee); strings.HasSuffix(name, "_cast") {
			return false
		}
	}
	if c.kindOf(callee) != Word {
		return false // (n), >>>(n)
	}
	name := c.at(callee)
	if slices.Contains(keepsArguments, name) || slices.ContainsFunc(keepsPrefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
		return false
	}
	if list := c.funcs[name]; len(list) > 0 {
		at := slices.IndexFunc(c.split(open+1, c.closing(open), false), func(part [2]int) bool { return part[0] == k })
		return slices.ContainsFunc(list, func(f *function) bool { return at < 0 || at < len(f.params) && f.params[at].reference })
	}
	if p := callee - 1; c.kindOf(p) == Word && !c.is(p, "return") && !c.is(p, "else") || c.is(p, ">") || c.is(p, "*") ||
		c.is(p, ",") && !c.is(c.outer(p), "(") {
		return false // T x(n), y(n);
	}
	return true
}
