package passes

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// Counts are the operations of a function by class.
type Counts struct{ Arith, Load, Store, Branch, Call int }

func (c Counts) String() string {
	return fmt.Sprintf("%d/%d/%d/%d/%d", c.Arith, c.Load, c.Store, c.Branch, c.Call)
}

func (c Counts) plus(x Counts) Counts {
	return Counts{c.Arith + x.Arith, c.Load + x.Load, c.Store + x.Store, c.Branch + x.Branch, c.Call + x.Call}
}

// countIR counts the operations of a function.
func countIR(f *ir.Func) (c Counts) {
	f.Body.Walk(func(in *ir.Instr) {
		switch in.Op {
		case lower.Load:
			c.Load++
		case lower.Store:
			c.Store++
		case lower.Select:
			if !isExtension(in) {
				c.Branch++
			}
		case lower.OpIf, lower.OpSwitch:
			c.Branch++
		case lower.Call, lower.Index, lower.Barrier, lower.Atomic:
			c.Call++
		case lower.Convert:
			if in.Type.IsFloat() || in.From.IsFloat() {
				c.Arith++
			}
		case lower.Bitcast, lower.PtrAdd, lower.PtrDiff, lower.Mov:
		default:
			if in.Op < lower.Select {
				c.Arith++
			}
		}
	})
	return c
}

// isExtension reports whether a condition is made a number.
func isExtension(in *ir.Instr) bool {
	a, b := in.Args[1], in.Args[2]
	return in.Type.IsInteger() && a.IsConst() && b.IsConst() && a.Bits == 1 && b.Bits == 0
}

// free are LLVM's instructions that are not counted.
var free = []string{"getelementptr", "sext", "zext", "trunc", "bitcast", "phi", "alloca", "ret", "freeze",
	"insertelement", "extractelement", "insertvalue", "extractvalue", "unreachable", "ptrtoint", "inttoptr"}

// countLLVM counts the operations of the functions in LLVM's text.
func countLLVM(text string) map[string]Counts {
	out := map[string]Counts{}
	name := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "define "):
			_, rest, _ := strings.Cut(line, "@")
			name, _, _ = strings.Cut(rest, "(")
			out[name] = Counts{}
		case line == "}":
			name = ""
		case name != "" && line != "" && !strings.HasSuffix(line, ":") && !strings.Contains(line, "; preds"):
			out[name] = out[name].plus(instruction(line))
		}
	}
	return out
}

// instruction counts one line.
func instruction(line string) (c Counts) {
	if _, rest, ok := strings.Cut(line, " = "); ok && line[0] == '%' {
		line = rest
	}
	line = strings.TrimPrefix(line, "tail ")
	op, rest, _ := strings.Cut(line, " ")
	switch {
	case op == "load":
		c.Load++
	case op == "store":
		c.Store++
	case op == "br":
		if strings.HasPrefix(rest, "i1") {
			c.Branch++
		}
	case op == "select", op == "switch":
		c.Branch++
	case op == "call" && (strings.Contains(rest, "@llvm.lifetime") || strings.Contains(rest, "@llvm.assume")):
	case op == "call" && strings.Contains(rest, "@llvm."):
		c.Arith++
	case op == "call":
		c.Call++
	case op[0] == 'i' && strings.HasPrefix(rest, "label"), op[0] == ']', slices.Contains(free, op): // of a switch
	default:
		if strings.HasPrefix(op, "i") && op != "icmp" { // a case of a switch
			return c
		}
		c.Arith++
	}
	return c
}
