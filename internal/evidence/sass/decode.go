package sass

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Registers by number: the general ones, the uniform ones, and the predicates of both
// kinds.
const (
	firstUniform   = 256
	firstPredicate = firstUniform + 64
	firstUniformP  = firstPredicate + 8
	registers      = firstUniformP + 8
)

type operandKind uint8

// The kinds of operands; the zero value is not known.
const (
	operandReg operandKind = iota + 1
	operandImm
	operandConstant // reg = byte offset in bank 0
	operandSpecial
)

type operand struct {
	kind   operandKind
	reg    int     // -1: none, as the destination of RZ and PT
	neg    bool    // -R1
	invert bool    // ~R1
	not    bool    // !P1
	abs    bool    // |R1|, of floating numbers
	number float64 // an immediate as a floating number
}

// operation is an instruction made ready for execution.
type operation struct {
	*Instruction
	text   string
	name   string
	dsts   []int // registers written, -1: thrown away
	pred   []int // predicates written, likewise
	args   []operand
	guard  operand
	target int
}

func (o *operation) branches() bool {
	switch o.name {
	case "BRA", "EXIT", "CALL", "RET", "BRX", "JMP", "BREAK":
		return true
	}
	return false
}

// writesNothing are instructions whose operands are all read.
var writesNothing = map[string]bool{
	"STG": true, "STS": true, "ST": true, "STL": true, "RED": true, "BAR": true, "BSSY": true, "BSYNC": true,
	"NOP": true, "MEMBAR": true,
	"ERRBAR": true, "CCTL": true, "WARPSYNC": true, "YIELD": true, "BRA": true, "EXIT": true, "RET": true, "CALL": true,
	"DEPBAR": true, "BREAK": true, "BRX": true, "JMP": true,
}

func decode(in *Instruction) (operation, error) {
	o := operation{Instruction: in, text: strings.TrimSpace(in.Op + " " + strings.Join(in.Operands, ", ")),
		name: in.Name(), guard: operand{kind: operandImm, reg: 1}}
	if in.Guard != "" {
		o.guard = decodeOperand(in.Guard)
		o.guard.not = in.Negated
	}
	if o.name == "CALL" && in.Guard != "" {
		// A warp leaves a loop that it keeps together by a call that never returns. A
		// function's is without a predicate, and is refused; so is the return of any other.
		o.name = "BRA"
	}
	if o.name == "BRA" {
		t, ok := in.target()
		if !ok {
			return o, fmt.Errorf("no target: %s", o.text)
		}
		o.target = t
	}
	rest := in.Operands
	if writesNothing[o.name] {
		if o.name == "BRA" && len(rest) > 1 {
			o.args = []operand{decodeOperand(rest[0])}
		}
		return o, nil
	}
	n := o.results(rest)
	for _, text := range rest[:n] {
		d := decodeOperand(text)
		switch {
		case d.kind != operandReg && isPredicate(text):
			o.pred = append(o.pred, -1)
		case d.kind != operandReg:
			o.dsts = append(o.dsts, -1)
		case d.reg >= firstPredicate:
			o.pred = append(o.pred, d.reg)
		default:
			for i := range o.words() {
				o.dsts = append(o.dsts, d.reg+i)
			}
		}
	}
	for _, a := range rest[n:] {
		o.args = append(o.args, decodeOperand(a))
	}
	return o, nil
}

// isPredicate tells a predicate by its name.
func isPredicate(text string) bool {
	return strings.HasPrefix(text, "P") || strings.HasPrefix(text, "UP")
}

// results is how many of the operands an op writes: two predicates by compares, a
// predicate in front of the register by some, carries behind it by additions.
func (o *operation) results(operands []string) int {
	switch strings.TrimPrefix(o.name, "U") {
	case "ISETP", "FSETP", "DSETP", "HSETP2", "PLOP3", "VOTE":
		return min(2, len(operands))
	case "FCHK":
		return 1
	case "IADD3", "LEA", "IMAD":
		n := 1
		for n < len(operands) && isPredicate(operands[n]) {
			n++
		}
		return n
	}
	if len(operands) > 1 && isPredicate(operands[0]) {
		return 2
	}
	return min(1, len(operands))
}

// words is how many registers a result takes.
func (o *operation) words() int {
	switch {
	case o.Has("128"):
		return 4
	case o.Has("64"):
		if o.name == "F2F" && !strings.Contains(o.Op, "F64.") { // to F32 from F64
			return 1
		}
		return 2
	case o.name == "IMAD" && o.Has("WIDE"), o.name == "UIMAD" && o.Has("WIDE"):
		return 2
	case o.name == "CS2R" && !o.Has("32"):
		return 2
	case o.name == "DADD", o.name == "DMUL", o.name == "DFMA":
		return 2
	case o.name == "F2F" && strings.Contains(o.Op, "F64.F32"), o.name == "I2F" && o.Has("F64"):
		return 2
	}
	return 1
}

func decodeOperand(text string) operand {
	o := operand{}
	for len(text) > 1 && strings.ContainsRune("-~!|", rune(text[0])) {
		switch text[0] {
		case '-':
			if c := text[1]; c >= '0' && c <= '9' {
				return immediate(text)
			}
			o.neg = true
		case '~':
			o.invert = true
		case '!':
			o.not = true
		case '|':
			o.abs = true
		}
		text = text[1:]
	}
	text = strings.TrimSuffix(text, "|")
	name, _, _ := strings.Cut(text, ".")
	name = strings.TrimSuffix(name, "|") // |R1|.reuse
	number := func(prefix string) (int, bool) {
		n, err := strconv.Atoi(strings.TrimPrefix(name, prefix))
		return n, err == nil && strings.HasPrefix(name, prefix)
	}
	switch name {
	case "RZ", "URZ":
		o.kind = operandImm
		return o
	case "PT", "UPT":
		o.kind, o.reg = operandImm, 1
		return o
	}
	if id, ok := specials[text]; ok {
		o.kind, o.reg = operandSpecial, id
		return o
	}
	for _, r := range []struct {
		prefix string
		first  int
	}{{"UR", firstUniform}, {"UP", firstUniformP}, {"R", 0}, {"P", firstPredicate}} {
		if n, ok := number(r.prefix); ok {
			o.kind, o.reg = operandReg, r.first+n
			return o
		}
	}
	if offset, ok := strings.CutPrefix(text, "c[0x0]["); ok {
		if v, err := strconv.ParseInt(strings.TrimSuffix(offset, "]"), 0, 64); err == nil {
			o.kind, o.reg = operandConstant, int(v)
		}
		return o
	}
	if v := immediate(text); v.kind != 0 {
		return v
	}
	return operand{}
}

// immediate reads a number: hexadecimal with a sign, or floating.
func immediate(text string) operand {
	if v, err := strconv.ParseInt(text, 0, 64); err == nil {
		return operand{kind: operandImm, reg: int(uint32(v)), number: float64(v)}
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return operand{kind: operandImm, reg: int(math.Float32bits(float32(v))), number: v}
	}
	return operand{}
}
