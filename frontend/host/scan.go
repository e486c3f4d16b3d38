package host

import (
	"slices"

	"gpupipe/frontend/ctypes"
)

// code is what the host code of a file declares.
type code struct {
	*Text
	funcs   map[string][]*function
	inOrder []*function
	types   map[string]variableType
	spaces  map[string]bool // namespaces and enums, in front of ::
	globals map[string]*variable
	changed map[string]int // the token at which a name is assigned to, in any function
}

// function is a function of host code with its body.
type function struct {
	name        string
	start       int // token of the declaration's first word
	result      int // token of the result's type
	params      []parameter
	template    []templateParameter
	open, close int  // braces of the body
	member      bool // of a struct, whose members are not known
	launches    bool // itself, or what it calls
	mentioned   bool // in the body of another one
}

// parameter is a parameter of a host function.
type parameter struct {
	name      string
	from, to  int // tokens of its declaration
	preset    int // token of the default value's first word, 0 = none
	reference bool
}

// templateParameter is a parameter of a template.
type templateParameter struct {
	name       string
	isType     bool
	preset, to int // tokens of the default; none where they are equal
}

// scan finds the declarations of a text.
func scan(t *Text) *code {
	c := &code{Text: t, funcs: map[string][]*function{}, types: map[string]variableType{}, spaces: map[string]bool{"std": true},
		globals: map[string]*variable{}, changed: map[string]int{}}
	for i := range c.Tokens {
		switch {
		case c.Tokens[i].InBody:
		case c.is(i, "namespace"):
			if n := i + 1; c.kindOf(n) == Word {
				c.spaces[c.at(n)] = true
			}
		case c.is(i, "typedef"), c.is(i, "using"):
			c.alias(i, c.types)
		case c.is(i, "enum"):
			if n := i + 1; c.kindOf(n) == Word {
				if c.is(n, "class") || c.is(n, "struct") {
					n++
				}
				c.spaces[c.at(n)] = true
				c.types[c.at(n)] = variableType{kind: ctypes.Int}
			}
		case c.is(i, "{") && c.Tokens[i].Scope == Block:
			c.function(i)
		}
	}
	for _, f := range c.inOrder {
		c.assigned(f.open, f.close, func(name string, at int, _ bool) {
			if _, ok := c.changed[name]; !ok {
				c.changed[name] = at
			}
		})
	}
	c.spreadLaunches()
	return c
}

// function notes the function whose body opens at token i, unless it is the device's.
func (c *code) function(i int) {
	closing := c.closing(i)
	if closing < 0 {
		return
	}
	start := c.itemStart(i)
	f := &function{start: start, result: start, open: i, close: closing, member: c.Tokens[i].Within == Members}
	if c.is(start, "template") {
		end := c.closingAngle(start + 1)
		if end < 0 {
			return
		}
		f.template = c.templateParameters(start+2, end)
		f.result = end + 1
	}
	if c.has(start, i, "__global__") || c.has(start, i, "__device__") && !c.has(start, i, "__host__") {
		return
	}
	params := c.parameterList(f.result, i)
	if params < 0 {
		return
	}
	name := params - 1
	f.name = c.at(name)
	f.member = f.member || c.is(name-1, "::")
	f.params = c.parameters(params)
	f.launches = c.hasLaunch(i, closing)
	c.funcs[f.name] = append(c.funcs[f.name], f)
	c.inOrder = append(c.inOrder, f)
}

// itemStart is the first token of the declaration that token i belongs to.
func (c *code) itemStart(i int) int {
	outer := c.outer(i)
	start := i
	for k := i - 1; k >= 0 && k != outer; k-- {
		if c.outer(k) != outer {
			continue
		}
		if c.is(k, ";") || c.is(k, "}") || c.is(k, "{") || c.is(k, ":") && c.accessWord(k-1) {
			break
		}
		start = k
	}
	return start
}

func (c *code) accessWord(i int) bool {
	return c.is(i, "public") || c.is(i, "private") || c.is(i, "protected")
}

// parameterList is the ( of a function's parameters in tokens i to end, or -1.
func (c *code) parameterList(i, end int) int {
	outer := c.outer(end)
	for k := i; k < end; k++ {
		if c.outer(k) != outer || !c.is(k, "(") {
			if c.outer(k) == outer && c.is(k, "=") {
				return -1
			}
			continue
		}
		if p := k - 1; p >= i && c.kindOf(p) == Word && !c.Tokens[p].Attribute && c.closing(k) > 0 {
			return k
		}
	}
	return -1
}

// parameters reads the list that opens at token open.
func (c *code) parameters(open int) (list []parameter) {
	for _, part := range c.split(open+1, c.closing(open), true) {
		p := parameter{from: part[0], to: part[1]}
		end := p.to
		if eq := c.find(p.from, p.to, "="); eq < p.to {
			end, p.preset = eq, eq+1
		}
		p.reference = c.has(p.from, end, "&") && !c.has(p.from, end, "const")
		for k := end - 1; k > p.from; k-- {
			if c.kindOf(k) == Word && c.outer(k) == open {
				p.name = c.at(k)
				break
			}
		}
		list = append(list, p)
	}
	if len(list) == 1 && list[0].to == list[0].from+1 && c.is(list[0].from, "void") {
		return nil
	}
	return list
}

// templateParameters reads the parameters of a template, tokens i to j.
func (c *code) templateParameters(i, j int) (list []templateParameter) {
	for _, part := range c.split(i, j, true) {
		p := templateParameter{isType: c.is(part[0], "typename") || c.is(part[0], "class"), preset: part[1], to: part[1]}
		end := c.find(part[0], part[1], "=")
		if end < part[1] {
			p.preset = end + 1
		}
		if c.kindOf(end-1) == Word && end-1 > part[0] {
			p.name = c.at(end - 1)
		}
		list = append(list, p)
	}
	return list
}

// split cuts tokens i to j at the commas outside of brackets, those of templates too where angles
// is set.
func (c *code) split(i, j int, angles bool) (parts [][2]int) {
	if i >= j {
		return nil
	}
	start, depth := i, 0
	for k := i; k < j; k++ {
		switch c.at(k) {
		case "(", "[", "{":
			if e := c.closing(k); e > k && e < j {
				k = e
			}
		case "<":
			if angles {
				depth++
			}
		case ">", ">>":
			if angles {
				depth = max(0, depth-len(c.at(k)))
			}
		case ",":
			if depth == 0 {
				parts = append(parts, [2]int{start, k})
				start = k + 1
			}
		}
	}
	return append(parts, [2]int{start, j})
}

// alias notes the type that a typedef or using at token i names.
func (c *code) alias(i int, types map[string]variableType) {
	end := c.find(i, len(c.Tokens), ";", "{")
	if !c.is(end, ";") {
		return
	}
	from, name := i+1, end-1
	if c.is(i, "using") {
		if name = i + 1; !c.is(i+2, "=") {
			return
		}
		from = i + 3
	} else {
		end = name
	}
	t, next := c.typeAt(from, types)
	if next != end {
		t = variableType{}
	}
	if old, ok := types[c.at(name)]; ok && old != t {
		t = variableType{}
	}
	types[c.at(name)] = t
}

// launchers are the functions of the runtimes that launch a kernel, given as their first
// argument.
var launchers = []string{"hipLaunchKernelGGL", "hipLaunchKernel", "cudaLaunchKernel", "cudaLaunchCooperativeKernel", "hipLaunchCooperativeKernel"}

// hasLaunch reports whether tokens i to j launch a kernel.
func (c *code) hasLaunch(i, j int) bool {
	return c.has(i, j, "<<<") || c.has(i, j, launchers...)
}

// spreadLaunches marks the functions that launch kernels by calling others, and those that others
// mention.
func (c *code) spreadLaunches() {
	for _, f := range c.inOrder {
		for k := f.open; k < f.close; k++ {
			if c.kindOf(k) != Word {
				continue
			}
			for _, g := range c.funcs[c.at(k)] {
				g.mentioned = g.mentioned || g != f
			}
		}
	}
	for again := true; again; {
		again = false
		for _, f := range c.inOrder {
			for k := f.open; k < f.close && !f.launches; k++ {
				if c.kindOf(k) == Word && slices.ContainsFunc(c.funcs[c.at(k)], func(g *function) bool { return g.launches }) {
					f.launches, again = true, true
				}
			}
		}
	}
}
