package ptx

import (
	"strconv"
	"strings"
)

// operandKind says what an operand is. The zero value is not known.
type operandKind uint8

const (
	operandReg operandKind = iota + 1
	operandImm
	operandLocalID // reg = dimension
	operandGroupID
	operandLocalSize
	operandGroups
)

type operand struct {
	kind operandKind
	reg  int
	imm  uint64
}

// operation is an instruction made ready for execution.
type operation struct {
	text    string
	name    string   // "add", "setp", ...; empty: the result is not known
	mods    []string // between name and type: "lo", "wide", "lt"
	bits    int      // width of the type
	signed  bool
	from    int // cvt: width and sign of the source
	fromS   bool
	dsts    []int
	args    []operand
	guard   int // register, -1: none
	negated bool
	branch  bool
	ends    bool // ret, exit
}

type codeBlock struct {
	code   []operation
	target int
}

// program is a kernel made ready for execution.
type program struct {
	blocks    []codeBlock
	registers int
}

type decoder struct {
	k     *Kernel
	args  map[int]int64
	names map[string]int
}

func (k *Kernel) decode(args map[int]int64) *program {
	d := &decoder{k: k, args: args, names: map[string]int{}}
	p := &program{blocks: make([]codeBlock, len(k.Blocks))}
	for i := range k.Blocks {
		b := &k.Blocks[i]
		for j := range b.Code {
			p.blocks[i].code = append(p.blocks[i].code, d.operation(&b.Code[j]))
		}
		if n := len(b.Code); n > 0 && b.Code[n-1].Branches() {
			p.blocks[i].target = b.Next[0]
		}
	}
	p.registers = len(d.names)
	return p
}

func (d *decoder) register(name string) int {
	r, ok := d.names[name]
	if !ok {
		r = len(d.names)
		d.names[name] = r
	}
	return r
}

func (d *decoder) operation(in *Instruction) operation {
	parts := in.Parts()
	o := operation{text: in.Op + " " + strings.Join(in.Operands, ", "), guard: -1, negated: in.Negated}
	if in.Guard != "" {
		o.guard = d.register(in.Guard)
	}
	switch parts[0] {
	case "bra":
		o.branch = true
		return o
	case "ret", "exit":
		o.ends = true
		return o
	case "st", "red", "bar", "membar", "fence", "call", "prefetch":
		return o
	}
	if len(in.Operands) == 0 {
		return o
	}
	for _, r := range strings.FieldsFunc(in.Operands[0], func(c rune) bool {
		return strings.ContainsRune("{}, |", c)
	}) {
		o.dsts = append(o.dsts, d.register(r))
	}
	typ, isInt := parts[len(parts)-1], false
	if o.bits, o.signed, isInt = intType(typ); !isInt || len(o.dsts) != 1 {
		return o
	}
	if parts[0] == "ld" {
		if len(parts) > 1 && parts[1] == "param" {
			o.name, o.args = "mov", []operand{d.parameter(in.Operands[1])}
		}
		return o
	}
	o.mods = parts[1 : len(parts)-1]
	if parts[0] == "cvt" {
		o.from, o.fromS = o.bits, o.signed
		if len(o.mods) == 0 {
			return o
		}
		if o.bits, o.signed, isInt = intType(o.mods[len(o.mods)-1]); !isInt {
			return o
		}
	}
	o.name = parts[0]
	for _, a := range in.Operands[1:] {
		o.args = append(o.args, d.operand(a))
	}
	return o
}

// parameter is the value of "[kernel_param_2]".
func (d *decoder) parameter(text string) operand {
	name := strings.Trim(text, "[]")
	for i, p := range d.k.Params {
		if p == name {
			if v, ok := d.args[i]; ok {
				return operand{kind: operandImm, imm: uint64(v)}
			}
		}
	}
	return operand{}
}

var specials = map[string]operandKind{"%tid": operandLocalID, "%ctaid": operandGroupID, "%ntid": operandLocalSize,
	"%nctaid": operandGroups}

func (d *decoder) operand(text string) operand {
	if v, err := strconv.ParseInt(text, 0, 64); err == nil {
		return operand{kind: operandImm, imm: uint64(v)}
	}
	if v, err := strconv.ParseUint(text, 0, 64); err == nil {
		return operand{kind: operandImm, imm: v}
	}
	if name, dim, ok := strings.Cut(text, "."); ok && len(dim) == 1 && specials[name] != 0 {
		return operand{kind: specials[name], reg: strings.Index("xyz", dim)}
	}
	if strings.HasPrefix(text, "%") {
		return operand{kind: operandReg, reg: d.register(text)}
	}
	return operand{}
}

// intType reads a type: s32, u64, b16, pred.
func intType(s string) (bits int, signed, ok bool) {
	if s == "pred" {
		return 1, false, true
	}
	if len(s) < 2 || !strings.ContainsRune("sub", rune(s[0])) {
		return 0, false, false
	}
	n, err := strconv.Atoi(s[1:])
	return n, s[0] == 's', err == nil && (n == 8 || n == 16 || n == 32 || n == 64)
}
