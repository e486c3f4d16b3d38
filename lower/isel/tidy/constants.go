package tidy

import (
	"gpupipe/lower/machine"
)

// constants loads a constant once in each run of straight code, which predication has made longer, words of a
// constant bank once where a load dominates another one and no loop begins between, and words next to each other
// by one instruction.
func constants(c *Code, isa Maker) {
	k := &loader{c: c, isa: isa, writes: make([]int, len(c.Regs)+1), rename: map[Reg]Reg{},
		scalar: map[Reg]bool{}}
	c.Body.Each(func(n Node) {
		if in, ok := n.(*Instr); ok {
			for _, d := range in.Defs {
				k.writes[d]++
			}
			if len(in.Defs) > 0 && c.Reg(in.Defs[0]).Class != Vector && c.Reg(in.Defs[0]).Class != Predicate {
				for _, o := range in.Uses {
					k.scalar[o.Reg] = true
				}
			}
		}
	})
	k.block(c.Body, map[constantKey]*Instr{})
	if len(k.rename) > 0 || len(k.words) > 0 {
		c.Body.Each(func(n Node) {
			if in, ok := n.(*Instr); ok {
				k.operands(in)
			}
		})
	}
}

type loader struct {
	c      *Code
	isa    Maker
	writes []int
	rename map[Reg]Reg
	scalar map[Reg]bool    // read by instructions of the warp
	words  map[Reg]Operand // registers that are words of others
	moved  bool            // out of loops
}

// constantKey names what is loaded.
type constantKey struct {
	op   string
	from Operand
}

// loads reports whether an instruction does nothing but bring a constant, or a register of the warp that is
// written once, into a register of its own.
func (k *loader) loads(n Node) (*Instr, bool) {
	in, ok := n.(*Instr)
	if !ok || len(in.Defs) != 1 || len(in.Uses) != 1 || in.Mem != nil || in.Part > 0 || k.writes[in.Defs[0]] != 1 {
		return nil, false
	}
	switch o := in.Uses[0]; o.Kind {
	case Bank:
		return in, true
	case Immediate:
		return in, in.From == nil
	case InReg: // of the warp, for an instruction that cannot read it there
		return in, k.c.Reg(o.Reg).Class == Uniform && k.c.Reg(in.Defs[0]).Class == Vector && k.writes[o.Reg] <= 1
	}
	return in, false
}

// block visits a block; known are words of constant banks that registers hold there.
func (k *loader) block(b *Block, known map[constantKey]*Instr) {
	seen := map[constantKey]*Instr{} // in this run of instructions
	var mine []constantKey
	out := make([]Node, 0, len(b.Nodes))
	for _, n := range b.Nodes {
		straight := false
		switch n := n.(type) {
		case *If:
			k.block(n.Then, known)
			k.block(n.Else, known)
		case *Loop:
			k.block(n.Body, k.shared(known))
		case *Region:
			k.block(n.Body, known)
		case *Instr:
			straight = true
		}
		if !straight {
			clear(seen)
		}
		if in, ok := k.loads(n); ok {
			key := constantKey{in.Op, in.Uses[0]}
			first := seen[key]
			if first == nil && in.Uses[0].Kind == Bank {
				if first = known[key]; first != nil && first.Op != in.Op && k.scalar[in.Defs[0]] {
					first = nil
				}
			}
			if first != nil && (first.Guard.Reg == 0 || first.Guard == in.Guard) {
				k.rename[in.Defs[0]] = first.Defs[0]
				continue
			}
			seen[key] = in
			if in.Uses[0].Kind == Bank && in.Guard.Reg == 0 && known[key] == nil {
				known[key] = in
				mine = append(mine, key)
			}
		}
		out = append(out, n)
	}
	for _, key := range mine {
		delete(known, key)
	}
	for len(out) > 0 {
		n := len(out)
		if out = k.pair(out); len(out) == n {
			break
		}
	}
	b.Nodes = out
}

// shared are the words that a loop reads where code in front of it left them: those of registers of the warp, and
// registers of the lanes in the place of such. Others are loaded in it again (ptxas 11.8 and 12.4, sm_90: i < n of a
// guard and of the test behind it read one ULDC; where the guard is n >= 1, for which n is in a register of the lanes,
// the test reads that; but see hoistParameters).
func (k *loader) shared(known map[constantKey]*Instr) map[constantKey]*Instr {
	out := map[constantKey]*Instr{}
	for key, in := range known { // into a map
		switch {
		case k.c.Reg(in.Defs[0]).Class == Uniform:
			out[key] = in
		case in.Op == "LDC":
			if key.op = "ULDC"; known[key] == nil {
				out[key] = in
			}
		}
	}
	return out
}

// pair loads two words next to each other at once, where the first one is.
func (k *loader) pair(nodes []Node) []Node {
	if len(k.isa.Pairs()) == 0 {
		return nodes
	}
	open := map[constantKey]int{} // words that may become pairs, by place
	drop := map[int]bool{}
	for i, n := range nodes {
		in, ok := k.loads(n)
		if !ok {
			if _, straight := n.(*Instr); !straight {
				clear(open)
			}
			continue
		}
		to, is := k.isa.Pairs()[in.Op]
		if !is || in.Guard.Reg != 0 || in.Uses[0].Kind != Bank {
			continue
		}
		from := in.Uses[0]
		other := from
		other.Bits ^= 4 * uint64(k.c.Reg(in.Defs[0]).Words)
		if j, ok := open[constantKey{in.Op, other}]; ok {
			k.join(nodes, min(i, j), nodes[j].(*Instr), in, to)
			drop[max(i, j)] = true
			delete(open, constantKey{in.Op, other})
			continue
		}
		open[constantKey{in.Op, from}] = i
	}
	if len(drop) == 0 {
		return nodes
	}
	out := nodes[:0]
	for i, n := range nodes {
		if !drop[i] {
			out = append(out, n)
		}
	}
	return out
}

// join makes one load of two.
func (k *loader) join(nodes []Node, at int, x, y *Instr, op string) {
	if x.Uses[0].Bits > y.Uses[0].Bits {
		x, y = y, x
	}
	n := k.c.Reg(x.Defs[0]).Words
	r := k.c.NewReg(machine.RegInfo{Class: k.c.Reg(x.Defs[0]).Class, Words: 2 * n})
	k.writes = append(k.writes, 1)
	wide := *x
	wide.Op, wide.Defs = op, []Reg{r}
	nodes[at] = &wide
	if k.words == nil {
		k.words = map[Reg]Operand{}
	}
	k.words[x.Defs[0]] = Operand{Kind: InReg, Reg: r, Word: 0}
	k.words[y.Defs[0]] = Operand{Kind: InReg, Reg: r, Word: n}
}

// operands names registers as they are now.
func (k *loader) operands(in *Instr) {
	for i := range in.Uses {
		o := &in.Uses[i]
		if o.Kind != InReg {
			continue
		}
		if r, ok := k.rename[o.Reg]; ok {
			o.Reg = r
		}
		for w, ok := k.words[o.Reg]; ok; w, ok = k.words[o.Reg] {
			if o.Word < 0 {
				o.Span = k.c.Reg(o.Reg).Words
			}
			o.Reg, o.Word = w.Reg, w.Word+max(0, o.Word)
		}
	}
}
