package tidy

import (
	"slices"
)

// pairs are the instructions of two numbers of single precision, of those of one, by the feature of a target that has
// them: packed arithmetic (CDNA 2) computes both, one of two in an instruction word (RDNA 3's VOPD) is executed beside
// the other.
var pairs = map[string]map[string]string{
	"packed": {"v_fma_f32": "v_pk_fma_f32", "v_fmac_f32": "v_pk_fma_f32", "v_add_f32": "v_pk_add_f32",
		"v_mul_f32": "v_pk_mul_f32"},
	"dual": {"v_fma_f32": "v_dual_fmac_f32", "v_fmac_f32": "v_dual_fmac_f32", "v_add_f32": "v_dual_add_f32",
		"v_mul_f32": "v_dual_mul_f32", "v_sub_f32": "v_dual_sub_f32", "v_min_f32": "v_dual_min_f32",
		"v_max_f32": "v_dual_max_f32"},
}

// pack makes one instruction of two that each add to, or multiply, what a loop carries around: the parameters of loops
// are what LLVM's SLPVectorizer begins with, and a factor that both share costs nothing (op_sel). Other code stays as
// it is.
func pack(s *Selected, b *Block, inLoop bool) {
	p := packer{Selected: s, pairs: pairs["packed"], sums: map[half]bool{}}
	if inLoop {
		p.carried(b)
	}
	for i, n := range b.Nodes {
		switch n := n.(type) {
		case *If:
			pack(s, n.Then, false)
			pack(s, n.Else, false)
		case *Loop:
			pack(s, n.Body, true)
		case *Region:
			pack(s, n.Body, inLoop)
		case *Instr:
			if p.accumulates(n) {
				p.with(b, i, n)
				p.sum(n)
			}
		}
	}
	b.Nodes = slices.DeleteFunc(b.Nodes, func(n Node) bool { return n == nil })
}

// half is a word of a register.
type half struct {
	reg Reg
	k   int
}

// pairUp marks what is in one instruction word with another one (GCNCreateVOPD.cpp, VOPDPairingMutation): each takes
// the first one behind it that does not wait for it and reads no vector register that it reads: the two read their
// operands from different banks. clang 19 leaves one in twenty single of those that pair here, for banks that it
// alone knows.
func pairUp(s *Selected, b *Block) {
	p := packer{Selected: s, pairs: pairs["dual"]}
	done := map[*Instr]bool{}
	for i, n := range b.Nodes {
		switch n := n.(type) {
		case *If:
			pairUp(s, n.Then)
			pairUp(s, n.Else)
		case *Loop:
			pairUp(s, n.Body)
		case *Region:
			pairUp(s, n.Body)
		case *Instr:
			if p.pairs[n.Op] != "" && n.Guard.Reg == 0 && !done[n] {
				p.beside(b, i, n, done)
			}
		}
	}
}

// beside finds the other one of a pair.
func (p *packer) beside(b *Block, i int, first *Instr, done map[*Instr]bool) {
	waiting := []*Instr{first} // for the first one
	for k := i + 1; k < min(len(b.Nodes), i+pairWindow); k++ {
		next, ok := b.Nodes[k].(*Instr)
		if !ok {
			return
		}
		waits := !p.independent(waiting, next)
		if p.pairs[next.Op] != "" && next.Guard.Reg == 0 && !done[next] && !p.shares(first, next) && !waits {
			for _, in := range [...]*Instr{first, next} {
				done[in] = true
				in.Class, in.Pipe = p.Maker.Describe(p.pairs[in.Op])
			}
			return
		}
		if waits {
			waiting = append(waiting, next)
		}
	}
}

// pairWindow is how far apart the two may stand.
const pairWindow = 64

// shares reports whether two instructions read a vector register in common.
func (p *packer) shares(a, b *Instr) bool {
	return slices.ContainsFunc(a.Uses, func(x Operand) bool {
		return x.Kind == InReg && p.Code.Reg(x.Reg).Class == Vector &&
			slices.ContainsFunc(b.Uses, func(y Operand) bool {
				return y.Kind == InReg && y.Reg == x.Reg && max(y.Word, 0) == max(x.Word, 0)
			})
	})
}

// packer packs a block.
type packer struct {
	*Selected
	pairs map[string]string
	sums  map[half]bool // what the loop carries, and what the block computes of it
}

// carried finds the words that a loop's block reads before it writes them.
func (p *packer) carried(b *Block) {
	read, written := map[half]bool{}, map[half]bool{}
	for _, n := range b.Nodes {
		in, ok := n.(*Instr)
		if !ok {
			continue
		}
		for _, o := range in.Uses {
			if w := (half{o.Reg, max(o.Word, 0)}); o.Kind == InReg && !written[w] {
				read[w] = true
			}
		}
		p.writes(in, func(w half) {
			written[w] = true
			if read[w] {
				p.sums[w] = true
			}
		})
	}
}

// writes calls f for each word that an instruction writes.
func (p *packer) writes(in *Instr, f func(half)) {
	for i, r := range in.Defs {
		from, span := 0, p.Code.Reg(r).Words
		if i == 0 && in.Part > 0 {
			from, span = in.Part-1, max(1, in.Span)
		}
		for k := range span {
			f(half{r, from + k})
		}
	}
}

func (p *packer) sum(in *Instr) { p.writes(in, func(w half) { p.sums[w] = true }) }

// accumulates reports whether an instruction changes what a loop carries, and may be one half of a packed one.
func (p *packer) accumulates(in *Instr) bool {
	return p.pairs[in.Op] != "" && in.Guard.Reg == 0 && len(in.Defs) == 1 && in.Span <= 1 &&
		slices.ContainsFunc(in.Uses, func(o Operand) bool {
			return o.Kind == InReg && p.sums[half{o.Reg, max(o.Word,
				0)}]
		})
}

// packWindow is how far apart two instructions may stand.
const packWindow = 32

// with packs an instruction with the next one that may be executed with it.
func (p *packer) with(b *Block, i int, first *Instr) {
	before := []*Instr{first}
	for k := i + 1; k < min(len(b.Nodes), i+packWindow); k++ {
		if b.Nodes[k] == nil {
			continue
		}
		next, ok := b.Nodes[k].(*Instr)
		if !ok {
			return
		}
		if p.pairs[next.Op] == p.pairs[first.Op] && p.accumulates(next) && p.independent(before, next) &&
			p.join(first, next) {
			op := p.pairs[first.Op]
			first.Op = op
			first.Class, first.Pipe = p.Maker.Describe(op)
			first.Uses = append(first.Uses, next.Uses...)
			b.Nodes[k] = nil
			return
		}
		before = append(before, next)
	}
}

// join gives an instruction what another one writes as well, if that can be said.
func (p *packer) join(first, next *Instr) bool {
	whole := func(in *Instr) bool { return in.Part == 0 || p.Code.Reg(in.Defs[0]).Words == 1 }
	switch {
	case first.Defs[0] == next.Defs[0] && next.Part == first.Part+1:
		first.Span = 2
	case first.Defs[0] == next.Defs[0] && first.Part == next.Part+1:
		first.Part, first.Span = next.Part, 2
	case first.Defs[0] != next.Defs[0] && whole(next):
		first.Defs = append(first.Defs, next.Defs...)
	case first.Defs[0] != next.Defs[0] && whole(first):
		first.Defs, first.Part, first.Span = []Reg{next.Defs[0], first.Defs[0]}, next.Part, next.Span
	default:
		return false
	}
	return true
}

// independent reports whether an instruction may be executed before others.
func (p *packer) independent(before []*Instr, in *Instr) bool {
	var own []half
	p.writes(in, func(w half) { own = append(own, w) })
	touches := func(x *Instr, w half) bool {
		return x.Guard.Reg == w.reg || slices.ContainsFunc(x.Uses, func(o Operand) bool {
			return o.Kind == InReg && o.Reg == w.reg && (o.Word < 0 || o.Word <= w.k && w.k < o.Word+max(1, o.Span))
		})
	}
	return !slices.ContainsFunc(before, func(x *Instr) bool {
		met := slices.ContainsFunc(own, func(w half) bool { return touches(x, w) })
		p.writes(x, func(w half) { met = met || touches(in, w) || slices.Contains(own, w) })
		return met
	})
}
