package ir

import (
	"strconv"
	"unicode"

	"gpupipe/lower"
)

// What Format and its reader (package irtest) agree on: how names are written and what the text leaves out.

// Reserved are words that have a meaning where a value may stand; a value of such a name is quoted.
var Reserved = map[string]bool{"align": true, "at": true, "component": true, "dim": true, "inf": true, "nan": true,
	"source": true, "true": true, "false": true, "undef": true, "volatile": true, "case": true, "default": true,
	"bound": true, "copies": true, "decision": true, "subscript": true, "opaque": true, "offset": true, "ctype": true}

// quoteName is a name as it is written: quoted where it would be read as something else.
func quoteName(s string) string {
	if isName(s) && !Reserved[s] {
		return s
	}
	return strconv.Quote(s)
}

// isName reports whether a text is a name without quotes: a C identifier with the selections of members and
// elements that package lower adds ("v.x", "a[2]").
func isName(s string) bool {
	for i, r := range s {
		if i == 0 && !StartsName(r) || !InName(r) {
			return false
		}
	}
	return s != ""
}

// StartsName reports whether a name without quotes may begin with a letter.
func StartsName(r rune) bool {
	return r == '_' || r == '$' || r != unicode.ReplacementChar && unicode.IsLetter(r)
}

// InName reports whether it may stand in one.
func InName(r rune) bool {
	return StartsName(r) || r == '.' || r == '[' || r == ']' || '0' <= r && r <= '9'
}

// quoteWord is Fn or Kind as it is written: also numbers, operators and what is joined by a point or colon.
func quoteWord(s string) string {
	for i := range len(s) {
		if !InWord(s[i]) {
			return strconv.Quote(s)
		}
	}
	if s == "" {
		return `""`
	}
	return s
}

// InWord reports whether Fn or Kind with this letter is written without quotes.
func InWord(c byte) bool {
	return c == '_' || c == '.' || c == ':' || c == '&' || c == '|' || c == '?' || '0' <= c && c <= '9' ||
		'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// ImpliedType is the Type of an operation that the text leaves out.
func ImpliedType(op Op) Type {
	switch op {
	case lower.PtrAdd:
		return lower.Ptr
	case lower.PtrDiff:
		return lower.S64
	}
	return 0
}

// OperandType is the type of operand i of an operation where the text does not say another one; 0: none. Of a
// control operation it follows from what the operand is for.
func OperandType(in *Instr, i int) Type {
	switch in.Op {
	case lower.OpIf:
		return lower.Pred
	case lower.OpSwitch:
		return lower.S32
	case lower.Select:
		if i == 0 {
			return lower.Pred
		}
	case lower.Convert, lower.Bitcast:
		return in.From
	case lower.PtrAdd:
		if i == 1 {
			return in.From
		}
	case lower.PtrDiff:
		return lower.Ptr
	case lower.Shl, lower.Shr:
		if i == 1 {
			return lower.S32
		}
	case lower.Load, lower.Store, lower.Atomic, lower.Copy:
		if i == 0 || in.Op == lower.Copy {
			return lower.Ptr
		}
	case lower.OpYield, lower.OpLeave, lower.OpContinue:
		if list := in.Receivers(); i < len(list) {
			return list[i].Type
		}
		return 0
	}
	return in.Type
}

// Receivers are the values that the operands of a terminator become.
func (in *Instr) Receivers() []*Value {
	switch {
	case in.Op == lower.OpYield && in.Parent != nil && in.Parent.Owner != nil:
		return in.Parent.Owner.Results
	case in.Op == lower.OpLeave && in.Target != nil:
		return in.Target.Results
	case in.Op == lower.OpContinue && in.Target != nil && len(in.Target.Blocks) > 0:
		return in.Target.Blocks[0].Params
	}
	return nil
}

// NaturalAlign is the alignment of an access to a scalar or a whole vector; 0: the operation accesses nothing.
func NaturalAlign(in *Instr) int64 {
	n := 1
	switch in.Op {
	case lower.Load, lower.Copy:
		n = len(in.Results)
	case lower.Store:
		n = len(in.Args) - 1
	case lower.Atomic:
	default:
		return 0
	}
	if n == 3 && in.Op != lower.Copy {
		n = 4
	}
	return int64(n) * in.Type.Size()
}

// trivial reports whether a block does nothing.
func trivial(b *Block) bool {
	return len(b.Instrs) == 1 && b.Instrs[0].Op == lower.OpYield && len(b.Instrs[0].Args) == 0 && len(b.Params) == 0
}

// kind is the word behind the name of a control operation.
func (in *Instr) kind() string {
	switch {
	case in.Op == lower.OpLoop && in.Loop != nil:
		return in.Loop.Kind
	case in.Op == lower.OpRegion:
		return in.Fn
	}
	return in.Kind
}

// ImpliedKind is the kind that the text leaves out.
func ImpliedKind(op Op) string {
	if op == lower.OpIf {
		return "if"
	}
	return ""
}
