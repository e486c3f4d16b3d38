package legal

import (
	"strconv"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// share computes what legalising wrote out once where it is computed before (common subexpressions by
// dominance; memory is package pass's).
func share(f *ir.Func) {
	s := &sharer{seen: map[string]*ir.Value{}}
	s.block(f.Body)
	s.subst.Apply(f.Body)
}

type sharer struct {
	seen  map[string]*ir.Value
	subst ir.Replacements
}

func (s *sharer) block(b *ir.Block) {
	var mine []string
	out := b.Instrs[:0]
	for _, in := range b.Instrs {
		s.subst.Operands(in)
		if arithmetic(in) {
			key := s.key(in)
			if v := s.seen[key]; v != nil {
				s.subst.Put(in.Result(), v)
				continue
			}
			s.seen[key] = in.Result()
			mine = append(mine, key)
		}
		for _, inner := range in.Blocks {
			s.block(inner)
		}
		out = append(out, in)
	}
	b.Instrs = out
	for _, k := range mine {
		delete(s.seen, k)
	}
}

// arithmetic reports whether an operation is what divisions are written out as.
func arithmetic(in *ir.Instr) bool {
	switch in.Op {
	case lower.Add, lower.Sub, lower.Mul, lower.MulHi, lower.And, lower.Xor, lower.Not, lower.Shr, lower.Shl,
		lower.Bitcast, lower.Neg, lower.Abs, lower.Ne:
		return in.Type.IsInteger()
	case lower.Convert:
		return in.Type.IsInteger() && in.From.IsInteger()
	}
	return false
}

func (s *sharer) key(in *ir.Instr) string {
	b := make([]byte, 0, 32)
	b = strconv.AppendInt(b, int64(in.Op), 10)
	b = append(b, '.')
	b = strconv.AppendInt(b, int64(in.Type), 10)
	b = append(b, in.Fn...)
	b = append(b, '.')
	b = strconv.AppendInt(b, int64(in.From), 10)
	for _, a := range in.Args {
		b = append(b, ' ')
		b = strconv.AppendUint(b, uint64(a.ID), 10)
	}
	return string(b)
}
