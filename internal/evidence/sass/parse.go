package sass

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Instruction is one instruction of a listing.
type Instruction struct {
	Op       string   // with its suffixes, such as "IADD3.X"
	Operands []string // "R1", "c[0x0][0x160]", "[R2.64+0x4]", "!PT"
	Guard    string   // the predicate of @P1, empty if there is none
	Negated  bool     // @!P1
	Keep     uint64   // bit i: operand i says ".reuse", to stay in the register file cache
	Counted  bool     // sets a dependence counter, since its latency is variable
}

// Name is the op without its suffixes.
func (in *Instruction) Name() string {
	name, _, _ := strings.Cut(in.Op, ".")
	return name
}

// Has reports whether the op has a suffix.
func (in *Instruction) Has(suffix string) bool {
	return strings.Contains(in.Op+".", "."+suffix+".")
}

// Kernel is the code of one entry.
type Kernel struct {
	Code []Instruction
}

// spacing is how far instructions lie apart, in bytes.
const spacing = 16

// Where the second half of an instruction word says which of the six dependence counters is
// set until the result is written and until the operands are read (Jia et al., arXiv:1804.06826,
// section 2.1).
const (
	counterForResult   = 46
	counterForOperands = 49
	noCounter          = 7
)

var (
	functionLine = regexp.MustCompile(`^\s*Function : (\w+)`)
	controlLine  = regexp.MustCompile(`^\s*/\* 0x([0-9a-f]{16}) \*/`)
	codeLine     = regexp.MustCompile(`^\s*/\*([0-9a-f]{4,})\*/\s+(?:@(!?)(U?P\w+)\s+)?([\w.]+)\s*([^;]*);`)
)

// Parse returns the kernel of that name in a listing, by its plain or its mangled
// C++ name. What follows its last instruction (a branch to itself and padding) is left
// out.
func Parse(listing, kernel string) (*Kernel, error) {
	mangled := fmt.Sprintf("_Z%d%s", len(kernel), kernel)
	k, inside := &Kernel{}, false
	for line := range strings.Lines(listing) {
		if m := functionLine.FindStringSubmatch(line); m != nil {
			inside = m[1] == kernel || strings.HasPrefix(m[1], mangled)
			continue
		}
		if !inside {
			continue
		}
		if m := controlLine.FindStringSubmatch(line); m != nil && len(k.Code) > 0 {
			word, err := strconv.ParseUint(m[1], 16, 64)
			if err != nil {
				return nil, err
			}
			k.Code[len(k.Code)-1].Counted = word>>counterForResult&noCounter != noCounter ||
				word>>counterForOperands&noCounter != noCounter
			continue
		}
		m := codeLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		address, err := strconv.ParseInt(m[1], 16, 64)
		if err != nil || address != int64(len(k.Code))*spacing {
			return nil, fmt.Errorf("instruction %d is at 0x%s, want multiples of %d", len(k.Code), m[1], spacing)
		}
		in := Instruction{Op: m[4], Guard: m[3], Negated: m[2] != ""}
		for o := range strings.SplitSeq(m[5], ",") {
			if o = strings.TrimSpace(o); o != "" {
				if strings.Contains(o, ".reuse") {
					in.Keep |= 1 << len(in.Operands)
					o = strings.ReplaceAll(o, ".reuse", "")
				}
				in.Operands = append(in.Operands, o)
			}
		}
		k.Code = append(k.Code, in)
	}
	for n := len(k.Code); n > 0 && k.Code[n-1].padding(n-1); n-- {
		k.Code = k.Code[:n-1]
	}
	if len(k.Code) == 0 {
		return nil, fmt.Errorf("no function %s in the listing", kernel)
	}
	return k, nil
}

// padding tells what stands behind the code, at its place.
func (in *Instruction) padding(at int) bool {
	t, ok := in.target()
	return in.Op == "NOP" || in.Op == "BRA" && ok && t == at
}

// target is the instruction that a branch goes to.
func (in *Instruction) target() (at int, ok bool) {
	if len(in.Operands) == 0 {
		return 0, false
	}
	v, err := strconv.ParseInt(in.Operands[len(in.Operands)-1], 0, 64)
	return int(v / spacing), err == nil
}
