package legal

import (
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
	"gpupipe/lower/pass/ranges"
)

// unaligned writes accesses to members of packed structs out as accesses to pieces that are aligned (LLVM's
// TargetLowering::expandUnalignedLoad and expandUnalignedStore), where alignment is what the type and the address say:
// nvcc aligns objects that it places itself as their members want (getOrEnforceKnownAlignment). GCN wants words, and
// of private memory alone (SITargetLowering::allowsMisalignedMemoryAccessesImpl).
func unaligned(f *ir.Func, t *machine.Target) {
	known := ranges.NewAlignments(f)
	var s ir.Replacements
	f.Body.Rewrite(func(out *ir.Block, in *ir.Instr) *ir.Instr {
		size := in.Type.Size()
		if in.Op != lower.Load && in.Op != lower.Store || in.Align >= size ||
			t.ISA != "sass" && in.Space != idg.SpacePrivate {
			return in
		}
		p := &pieces{f: f, out: out, in: in, bytes: max(in.Align, known.Of(in.Args[0])), word: lower.U32}
		if p.bytes >= size || t.ISA != "sass" && p.bytes >= 4 {
			in.Align = min(size, p.bytes)
			return in
		}
		if size > 4 {
			p.word = lower.U64
		}
		for i, r := range in.Results {
			s.Put(r, p.number(p.load(int64(i)*size, size), in.Type))
		}
		for i, v := range in.Args[1:] {
			word := p.convert(p.emit(lower.Bitcast, in.Type.Unsigned(), in.Type, v), in.Type.Unsigned(), p.word)
			p.store(word, int64(i)*size, size)
		}
		return nil
	})
	s.Apply(f.Body)
}

// pieces are the accesses that one access becomes.
type pieces struct {
	f     *ir.Func
	out   *ir.Block
	in    *ir.Instr
	bytes int64   // of each
	word  ir.Type // that the elements are put together in
}

// unsigned is the unsigned type of so many bytes.
func unsigned(bytes int64) ir.Type {
	return map[int64]ir.Type{1: lower.U8, 2: lower.U16, 4: lower.U32, 8: lower.U64}[bytes]
}

func (p *pieces) emit(op lower.Op, t, from ir.Type, args ...*ir.Value) *ir.Value {
	return p.f.Emit(p.out, &ir.Instr{Op: op, Type: t, From: from, Args: args, Pos: p.in.Pos, Component: p.in.Component})
}

func (p *pieces) convert(v *ir.Value, from, to ir.Type) *ir.Value {
	if from == to {
		return v
	}
	return p.emit(lower.Convert, to, from, v)
}

// number is a word as an element.
func (p *pieces) number(v *ir.Value, t ir.Type) *ir.Value {
	of := t.Unsigned()
	return p.emit(lower.Bitcast, t, of, p.convert(v, p.word, of))
}

// access is the access to the piece at an offset.
func (p *pieces) access(at int64, values ...*ir.Value) *ir.Instr {
	address := p.in.Args[0]
	if at > 0 {
		address = p.f.Emit(p.out, &ir.Instr{Op: lower.PtrAdd, Type: lower.Ptr, From: lower.S64, Scale: 1,
			Args: []*ir.Value{address, p.f.Int(lower.S64, at)}, Pos: p.in.Pos, Component: p.in.Component})
	}
	one := p.f.Copy(p.in)
	one.Type, one.Align, one.Whole, one.Offset = unsigned(p.bytes), p.bytes, 0, 0
	one.Args = append([]*ir.Value{address}, values...)
	return p.out.Append(one)
}

// load reads so many bytes: halves, as far as they are no pieces.
func (p *pieces) load(at, bytes int64) *ir.Value {
	if bytes == p.bytes {
		in := p.access(at)
		return p.convert(p.f.AddResult(in, in.Type, ""), in.Type, p.word)
	}
	half := bytes / 2
	low, high := p.load(at, half), p.load(at+half, half)
	high = p.emit(lower.Shl, p.word, 0, high, p.f.Int(lower.U32, 8*half))
	return p.emit(lower.Or, p.word, 0, low, high)
}

// store writes the low bytes of a word.
func (p *pieces) store(v *ir.Value, at, bytes int64) {
	if bytes == p.bytes {
		p.access(at, p.convert(v, p.word, unsigned(bytes)))
		return
	}
	half := bytes / 2
	p.store(v, at, half)
	p.store(p.emit(lower.Shr, p.word, 0, v, p.f.Int(lower.U32, 8*half)), at+half, half)
}
