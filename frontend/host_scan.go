package frontend

import "slices"

// hostCode is what the host code of a file declares.
type hostCode struct {
	*hostText
	funcs   map[string][]*hostFunc
	inOrder []*hostFunc
	types   map[string]hostType
	spaces  map[string]bool // namespaces and enums, in front of ::
	globals map[string]*hostVar
	changed map[string]int // the token at which a name is assigned to, in any function
}

// hostFunc is a function of host code with its body.
type hostFunc struct {
	name        string
	start       int // token of the declaration's first word
	result      int // token of the result's type
	params      []hostParam
	template    []templateParam
	open, close int  // braces of the body
	member      bool // of a struct, whose members are not known
	launches    bool // itself, or what it calls
	mentioned   bool // in the body of another one
}

// hostParam is a parameter of a host function.
type hostParam struct {
	name      string
	from, to  int // tokens of its declaration
	preset    int // token of the default value's first word, 0 = none
	reference bool
}

// scanHostCode finds the declarations of a text.
func scanHostCode(h *hostText) *hostCode {
	c := &hostCode{hostText: h, funcs: map[string][]*hostFunc{}, types: map[string]hostType{}, spaces: map[string]bool{"std": true},
		globals: map[string]*hostVar{}, changed: map[string]int{}}
	for i := range c.toks {
		switch {
		case c.shape.inBody(i):
		case c.is(i, "namespace"):
			if n := c.next(i); c.kindOf(n) == tokIdent {
				c.spaces[c.at(n)] = true
			}
		case c.is(i, "typedef"), c.is(i, "using"):
			c.alias(i, c.types)
		case c.is(i, "enum"):
			if n := c.next(i); c.kindOf(n) == tokIdent {
				if c.is(n, "class") || c.is(n, "struct") {
					n = c.next(n)
				}
				c.spaces[c.at(n)] = true
				c.types[c.at(n)] = hostType{kind: Int}
			}
		case c.is(i, "{") && c.shape.kinds[i] == scopeBlock:
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
func (c *hostCode) function(i int) {
	closing := c.shape.closing(i)
	if closing < 0 {
		return
	}
	start := c.itemStart(i)
	f := &hostFunc{start: start, result: start, open: i, close: closing, member: c.shape.kindAt(i) == scopeStruct}
	if c.is(start, "template") {
		words, end, _, ok := c.anglesWith(c.next(start), true)
		if !ok {
			return
		}
		f.template, _ = templateParams(words)
		f.result = c.next(end)
	}
	if c.has(start, i, "__global__") || c.has(start, i, "__device__") && !c.has(start, i, "__host__") {
		return
	}
	params := c.parameterList(f.result, i)
	if params < 0 {
		return
	}
	name := c.prev(params)
	f.name = c.at(name)
	f.member = f.member || c.is(c.prev(name), "::")
	f.params = c.parameters(params)
	f.launches = c.hasLaunch(i, closing)
	c.funcs[f.name] = append(c.funcs[f.name], f)
	c.inOrder = append(c.inOrder, f)
}

// itemStart is the first token of the declaration that token i belongs to.
func (c *hostCode) itemStart(i int) int {
	outer := c.shape.parent[i]
	start := i
	for k := c.prev(i); k >= 0 && int32(k) != outer; k = c.prev(k) {
		if c.shape.parent[k] != outer {
			continue
		}
		if c.is(k, ";") || c.is(k, "}") || c.is(k, "{") || c.is(k, ":") && c.accessWord(c.prev(k)) {
			break
		}
		start = k
	}
	return start
}

func (c *hostCode) accessWord(i int) bool {
	return c.is(i, "public") || c.is(i, "private") || c.is(i, "protected")
}

// parameterList is the ( of a function's parameters in tokens i to end, or -1.
func (c *hostCode) parameterList(i, end int) int {
	outer := c.shape.parent[end]
	for k := i; k < end; k++ {
		if c.shape.parent[k] != outer || !c.is(k, "(") {
			if c.shape.parent[k] == outer && c.is(k, "=") {
				return -1
			}
			continue
		}
		if p := c.prev(k); p >= i && c.kindOf(p) == tokIdent && !attributeWord(c.at(p)) && c.shape.closing(k) > 0 {
			return k
		}
	}
	return -1
}

// parameters reads the list that opens at token open.
func (c *hostCode) parameters(open int) (list []hostParam) {
	for _, part := range c.split(open+1, c.shape.closing(open), true) {
		p := hostParam{from: part[0], to: part[1]}
		end := p.to
		if eq := c.find(p.from, p.to, "="); eq < p.to {
			end, p.preset = eq, eq+1
		}
		p.reference = c.has(p.from, end, "&") && !c.has(p.from, end, "const")
		for k := end - 1; k > p.from; k-- {
			if c.kindOf(k) == tokIdent && c.shape.parent[k] == int32(open) {
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

// split cuts tokens i to j at the commas outside of brackets, those of templates too where angles
// is set.
func (c *hostCode) split(i, j int, angles bool) (parts [][2]int) {
	if i >= j {
		return nil
	}
	start, depth := i, 0
	for k := i; k < j; k++ {
		switch c.at(k) {
		case "(", "[", "{":
			if e := c.shape.closing(k); e > k && e < j {
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
func (c *hostCode) alias(i int, types map[string]hostType) {
	end := c.find(i, len(c.toks), ";", "{")
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
		t = hostType{}
	}
	if old, ok := types[c.at(name)]; ok && old != t {
		t = hostType{}
	}
	types[c.at(name)] = t
}

// launchers are the functions of the runtimes that launch a kernel, given as their first
// argument.
var launchers = []string{"hipLaunchKernelGGL", "hipLaunchKernel", "cudaLaunchKernel", "cudaLaunchCooperativeKernel", "hipLaunchCooperativeKernel"}

// hasLaunch reports whether tokens i to j launch a kernel.
func (c *hostCode) hasLaunch(i, j int) bool {
	return c.has(i, j, "<<<") || c.has(i, j, launchers...)
}

// spreadLaunches marks the functions that launch kernels by calling others, and those that others
// mention.
func (c *hostCode) spreadLaunches() {
	for _, f := range c.inOrder {
		for k := f.open; k < f.close; k++ {
			if c.kindOf(k) != tokIdent {
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
				if c.kindOf(k) == tokIdent && slices.ContainsFunc(c.funcs[c.at(k)], func(g *hostFunc) bool { return g.launches }) {
					f.launches, again = true, true
				}
			}
		}
	}
}
