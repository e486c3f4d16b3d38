package isa

import "strings"

// Op is an operation with its types, marks and address space. Two of the same text are equal.
type Op struct {
	text     string
	Verb     Verb
	Accuracy Accuracy // of a math function
	Marks    Mark
	Type     Type  // of the result; of an access, which has it beside the op, 0
	From     Type  // what a conversion converts
	Space    Space // of an access of memory
}

// Accuracy says which version of a math function an op is.
type Accuracy uint8

// The versions. The zero value is the one that the language's accuracy asks for.
const (
	Native Accuracy = iota + 1 // native_cos, cos.approx: the hardware's own
	Half                       // half_cos
	Fast                       // fast_length
)

var accuracies = [...]string{Native: "native_", Half: "half_", Fast: "fast_"}

// Mark is a set of what an op says of itself between its verb and its type, or behind its space.
type Mark uint16

// The marks.
const (
	Wide   Mark = 1 << iota // the product of two of 32 bits has 64: mul.wide.s32
	Packed                  // on two numbers of each lane: fma.packed.f32
	Dual                    // one of two in an instruction word: fma.dual.f32
	Base                    // an offset to a base in scalar registers: add.base.s64
	// the same in all lanes, executed by AMD's scalar unit: add.uniform.s32, ld.global.uniform
	Uniform
	Async    // half of an asynchronous copy: ld.global.async
	Combined // one update for all lanes: atomic.add.combined.global
	Approx   // the hardware's version: cos.approx.f32
	Vector   // a loop with its counter in vector registers: loop.vector
	OfLoop   // a branch that ends an iteration whose counter has instructions of its own: branch.loop
	Joining  // where lanes meet that a branch has parted: branch.join
)

var markNames = []struct {
	name string
	mark Mark
}{
	{"wide", Wide}, {"packed", Packed}, {"dual", Dual}, {"base", Base}, {"uniform", Uniform}, {"async", Async},
	{"combined", Combined}, {"approx", Approx}, {"vector", Vector}, {"loop", OfLoop}, {"join", Joining},
}

func (m Mark) String() string {
	for _, n := range markNames {
		if m == n.mark {
			return n.name
		}
	}
	return ""
}

// markNamed reads a mark; 0: it is none.
func markNamed(name string) Mark {
	for _, n := range markNames {
		if n.name == name {
			return n.mark
		}
	}
	return 0
}

// Parse reads an op. One that the table does not know has no Verb.
func Parse(text string) Op {
	o := Op{text: text}
	base, rest, typed := strings.Cut(text, ".")
	if o.Verb = verbs[base]; o.Verb == 0 {
		for a, prefix := range accuracies {
			if f, ok := strings.CutPrefix(base, prefix); ok && prefix != "" && rows[verbs[f]].kind == function {
				o.Verb, o.Accuracy = verbs[f], Accuracy(a)
			}
		}
	}
	for typed {
		var part string
		part, rest, typed = strings.Cut(rest, ".")
		if s := SpaceNamed(part); s != 0 && o.Memory() {
			o.Space = s
		} else if m := markNamed(part); m != 0 {
			o.Marks |= m
		} else if o.Verb == Convert && o.Type != 0 {
			o.From = TypeNamed(part)
		} else if !o.Memory() {
			o.Type = TypeNamed(part)
		}
	}
	return o
}

func (o Op) row() *row { return &rows[o.Verb] }

func (o Op) String() string { return o.text }

// base is the first word of the op's text.
func (o Op) base() string {
	base, _, _ := strings.Cut(o.text, ".")
	return base
}

// rest is the text behind the first word.
func (o Op) rest() string {
	_, rest, _ := strings.Cut(o.text, ".")
	return rest
}

// last is the last word of the op's text, "" if there is one only.
func (o Op) last() string { return o.text[max(strings.LastIndexByte(o.text, '.')+1, len(o.base())):] }

// Plain reports whether the op is a verb with one type, without marks: "add.s64".
func (o Op) Plain(v Verb, t Type) bool { return o.Verb == v && o.Simple(t) }

// Simple reports whether the op has one type, t, and no marks.
func (o Op) Simple(t Type) bool { return o.rest() == t.String() }

// Operand is the type of what the op reads.
func (o Op) Operand() Type {
	if o.Verb == Convert {
		return o.From
	}
	return o.Type
}

// Has reports whether the op has a mark.
func (o Op) Has(m Mark) bool { return o.Marks&m != 0 }

// With is the op with a mark before its type, or behind its address space.
func (o Op) With(m Mark) Op {
	last := o.last()
	if o.Verb == Load || o.Verb == Store || last == "" {
		return Parse(o.text + "." + m.String())
	}
	return Parse(strings.TrimSuffix(o.text, last) + m.String() + "." + last)
}

// Without is the op without a mark.
func (o Op) Without(m Mark) Op {
	if !o.Has(m) {
		return o
	}
	return Parse(strings.Replace(o.text, "."+m.String(), "", 1))
}

// Typed is the op with another type in the place of its last word.
func (o Op) Typed(t Type) Op { return Parse(strings.TrimSuffix(o.text, o.last()) + t.String()) }

// Memory reports whether the op accesses memory.
func (o Op) Memory() bool { return o.Verb == Load || o.Verb == Store || o.Verb == Atomic }

// DeviceMemory reports whether the op accesses device memory: constant memory is served by a
// cache of the compute unit.
func (o Op) DeviceMemory() bool { return o.Memory() && o.Space != Local && o.Space != Constant }

// RolledLoop reports whether the op ends an iteration of a rolled loop.
func (o Op) RolledLoop() bool { return o.Verb == Loop || o.Verb == Branch && o.Has(OfLoop) }

// IssueOnly reports whether the op takes an issue slot and nothing else.
func (o Op) IssueOnly() bool { return o.row().traits&issueOnly != 0 }

// Gate reports whether later instructions wait for the op although they use nothing of it.
func (o Op) Gate() bool { return o.row().traits&gate != 0 }

// EndsBlock reports whether the op is the last of its basic block.
func (o Op) EndsBlock() bool { return o.row().traits&endsBlock != 0 }

// Approximate reports whether the op is the hardware's own version of a math function.
func (o Op) Approximate() bool { return o.Accuracy == Native || o.Has(Approx) }
