package irtest

import (
	"gpupipe/internal/test/irverify"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// Reduce makes a kernel smaller as long as a test of it fails: it removes instructions, whose results become
// zero, puts blocks in the place of the operation that has them, and forgets parameters. fails gets a kernel
// that Verify accepts and may change it.
func Reduce(f *ir.Func, fails func(*ir.Func) bool) *ir.Func {
	for progress := true; progress; {
		progress = false
		for _, edit := range edits {
			for at := 0; ; {
				g, err := Clone(f)
				if err != nil {
					return f
				}
				in := nth(g, at)
				if in == nil {
					break
				}
				if !edit(g, in) {
					at++
					continue
				}
				text := g.String()
				if irverify.Verify(g) != nil || !fails(g) {
					at++
					continue
				}
				if g, err = Parse(text); err != nil || len(text) >= len(f.String()) {
					at++
					continue
				}
				f, progress = g, true
			}
		}
	}
	return f
}

// nth is an instruction by its number in the text.
func nth(f *ir.Func, n int) (found *ir.Instr) {
	f.Body.Walk(func(in *ir.Instr) {
		if n == 0 {
			found = in
		}
		n--
	})
	return found
}

// edits change a kernel at an instruction; false: there is nothing to change.
var edits = []func(*ir.Func, *ir.Instr) bool{remove,
	func(f *ir.Func, in *ir.Instr) bool { return inline(f, in, 0) },
	func(f *ir.Func, in *ir.Instr) bool { return inline(f, in, 1) },
	func(f *ir.Func, in *ir.Instr) bool { return inline(f, in, 2) },
	dropResult, dropParam, forward, zeroOperand, plain}

// remove takes an instruction away; its results become zero.
func remove(f *ir.Func, in *ir.Instr) bool {
	if in.IsTerminator() {
		return false
	}
	var s ir.Replacements
	for _, r := range in.Results {
		s.Put(r, f.Constant(r.Type, 0))
	}
	replace(in, nil)
	s.Apply(f.Body)
	return true
}

// replace puts a list of instructions in the place of one.
func replace(in *ir.Instr, list []*ir.Instr) {
	b := in.Parent
	var out []*ir.Instr
	for _, x := range b.Instrs {
		if x != in {
			out = append(out, x)
			continue
		}
		for _, y := range list {
			y.Parent = b
			out = append(out, y)
		}
	}
	b.Instrs = out
}

// inline puts block i of an operation in its place. Parameters of a loop become their first values.
func inline(f *ir.Func, in *ir.Instr, i int) bool {
	if i >= len(in.Blocks) {
		return false
	}
	b := in.Blocks[i]
	end := b.Last()
	list := b.Instrs
	var s ir.Replacements
	for j, p := range b.Params {
		s.Put(p, in.Args[j])
	}
	if end.Op == lower.OpYield || end.Target == in && end.Op == lower.OpLeave {
		list = list[:len(list)-1]
		for j, r := range in.Results {
			s.Put(r, end.Args[j])
		}
	} else if end.Target == in { // continue: one iteration
		list = list[:len(list)-1]
	}
	for _, r := range in.Results {
		if s.Find(r) == r {
			s.Put(r, f.Constant(r.Type, 0))
		}
	}
	if list = append([]*ir.Instr{}, list...); len(list) > 0 && list[len(list)-1].IsTerminator() {
		rest := in.Parent.Instrs // what is behind is not reached
		for k, x := range rest {
			if x == in {
				in.Parent.Instrs = rest[:k+1]
			}
		}
	}
	replace(in, list)
	s.Apply(f.Body)
	return true
}

// dropResult takes the last result of a control operation that nobody reads.
func dropResult(f *ir.Func, in *ir.Instr) bool {
	uses := f.Uses()
	if len(in.Blocks) == 0 {
		return false
	}
	for i, r := range in.Results {
		if uses[r.ID] > 0 {
			continue
		}
		in.Results = number(cut(in.Results, i))
		for _, b := range in.Blocks {
			if l := b.Last(); l.Op == lower.OpYield {
				l.Args = cut(l.Args, i)
			}
		}
		leaves, _ := in.Exits()
		for _, l := range leaves {
			l.Args = cut(l.Args, i)
		}
		return true
	}
	return false
}

// dropParam takes a parameter of a loop, which is its first value from then on.
func dropParam(f *ir.Func, in *ir.Instr) bool {
	if in.Op != lower.OpLoop || len(in.Args) == 0 {
		return false
	}
	uses := f.Uses()
	at := len(in.Args) - 1
	for i, p := range in.Blocks[0].Params {
		if uses[p.ID] == 0 {
			at = i
		}
	}
	_, continues := in.Exits()
	var s ir.Replacements
	s.Put(in.Blocks[0].Params[at], in.Args[at])
	in.Args = cut(in.Args, at)
	in.Blocks[0].Params = number(cut(in.Blocks[0].Params, at))
	for _, c := range continues {
		c.Args = cut(c.Args, at)
	}
	s.Apply(f.Body)
	return true
}

func cut(list []*ir.Value, i int) []*ir.Value {
	return append(append([]*ir.Value{}, list[:i]...), list[i+1:]...)
}

// number says of values which of a list they are.
func number(list []*ir.Value) []*ir.Value {
	for i, v := range list {
		v.Index = i
	}
	return list
}

// forward replaces the result of an operation by an operand of its type.
func forward(f *ir.Func, in *ir.Instr) bool {
	if len(in.Results) != 1 || len(in.Blocks) > 0 {
		return false
	}
	for _, a := range in.Args {
		if a.Type == in.Result().Type {
			var s ir.Replacements
			s.Put(in.Result(), a)
			replace(in, nil)
			s.Apply(f.Body)
			return true
		}
	}
	return false
}

// zeroOperand makes an operand zero.
func zeroOperand(f *ir.Func, in *ir.Instr) bool {
	for i, a := range in.Args {
		if a.Kind == ir.Result || a.Kind == ir.BlockArg {
			in.Args[i] = f.Constant(a.Type, 0)
			return true
		}
	}
	return false
}

// plain forgets attributes and positions.
func plain(f *ir.Func, in *ir.Instr) bool {
	c := *in
	in.Pos, in.Subscript, in.Component = ir.Pos{}, false, 0
	if in.Loop != nil {
		in.Loop.BoundText = ""
	}
	for _, r := range in.Results {
		r.Name = ""
	}
	return c.Pos != in.Pos || c.Subscript || c.Component != 0
}
