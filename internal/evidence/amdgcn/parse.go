package amdgcn

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Instruction is one instruction of an assembly.
type Instruction struct {
	Op       string   // without the suffix of its encoding, such as "v_add_u32"
	Operands []string // "v1", "s[4:5]", "vcc", "0x3ff", "off"
}

// Kernel is the code of one kernel.
type Kernel struct {
	Code   []Instruction
	labels map[string]int // index of the instruction behind one
	starts []startValue   // in the order of the scalar registers
	packed bool           // all work-item ids are in one register
}

// startValue is what scalar registers hold when a wavefront starts.
type startValue struct {
	name  string
	words int
}

// startValues are what a kernel may ask for, in the order of the registers (LLVM, AMDGPU usage
// guide, initial kernel execution state).
var startValues = []startValue{
	{"user_sgpr_private_segment_buffer", 4}, {"user_sgpr_dispatch_ptr", 2}, {"user_sgpr_queue_ptr", 2},
	{"user_sgpr_kernarg_segment_ptr", 2},
	{"user_sgpr_dispatch_id", 2}, {"user_sgpr_flat_scratch_init", 2}, {"user_sgpr_private_segment_size", 1},
	{"system_sgpr_workgroup_id_x", 1}, {"system_sgpr_workgroup_id_y", 1}, {"system_sgpr_workgroup_id_z", 1},
}

var (
	labelLine  = regexp.MustCompile(`^([\w.$]+):`)
	codeLine   = regexp.MustCompile(`^\t([a-z]\w+)(?:\s+([^;]*))?`)
	encoding   = regexp.MustCompile(`_(e32|e64|sdwa|dpp)$`)
	amdhsaLine = regexp.MustCompile(`^\s*\.amdhsa_(\w+) (\w+)`)
	targetLine = regexp.MustCompile(`\.amdgcn_target ".*--gfx(\w+?)(:.*)?"`)
)

// Parse returns the kernel of that name in an assembly, by its plain or its mangled C++ name.
func Parse(assembly, kernel string) (*Kernel, error) {
	mangled := fmt.Sprintf("_Z%d%s", len(kernel), kernel)
	named := func(symbol string) bool { return symbol == kernel || strings.HasPrefix(symbol, mangled) }
	k := &Kernel{labels: map[string]int{}}
	inside, described := false, false
	facts := map[string]string{}
	for line := range strings.Lines(assembly) {
		line = strings.TrimRight(line, "\n")
		if m := labelLine.FindStringSubmatch(line); m != nil {
			inside = inside || named(m[1])
			if inside {
				k.labels[m[1]] = len(k.Code)
			}
			continue
		}
		if m := targetLine.FindStringSubmatch(line); m != nil {
			k.packed = m[1] == "90a" || m[1] == "940" || m[1] == "942"
		}
		if m := amdhsaLine.FindStringSubmatch(line); m != nil {
			if m[1] == "kernel" {
				described = named(m[2])
			} else if described {
				facts[m[1]] = m[2]
			}
			continue
		}
		if strings.HasPrefix(line, "\t.section") {
			inside = false
		}
		if m := codeLine.FindStringSubmatch(line); m != nil && inside {
			k.Code = append(k.Code, instruction(m[1], m[2]))
		}
	}
	if len(k.Code) == 0 {
		return nil, fmt.Errorf("no kernel %s in the assembly", kernel)
	}
	for _, s := range startValues {
		if n, _ := strconv.Atoi(facts[s.name]); n > 0 {
			k.starts = append(k.starts, s)
		}
	}
	return k, nil
}

// instruction splits the operands; what follows the last comma's operand (offset:16, glc) is
// left out.
func instruction(op, operands string) Instruction {
	in := Instruction{Op: encoding.ReplaceAllString(op, "")}
	for o := range strings.SplitSeq(operands, ",") {
		if f := strings.Fields(o); len(f) > 0 {
			in.Operands = append(in.Operands, f[0])
		}
	}
	return in
}

// registers reads a name as registers of a file ('s' or 'v'): the first and how many.
func registers(name string) (file byte, first, n int, ok bool) {
	switch name {
	case "vcc", "vcc_lo":
		return 's', vcc, 2, true
	case "vcc_hi":
		return 's', vcc + 1, 1, true
	case "exec", "exec_lo":
		return 's', exec, 2, true
	case "exec_hi":
		return 's', exec + 1, 1, true
	case "m0", "null":
		return 's', m0, 1, true
	}
	if len(name) < 2 || name[0] != 's' && name[0] != 'v' {
		return 0, 0, 0, false
	}
	if name[1] == '[' {
		var last int
		if _, err := fmt.Sscanf(name[1:], "[%d:%d]", &first, &last); err != nil {
			return 0, 0, 0, false
		}
		return name[0], first, last - first + 1, last < vcc
	}
	first, err := strconv.Atoi(name[1:])
	return name[0], first, 1, err == nil
}
