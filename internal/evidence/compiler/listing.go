package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	sassFunction = regexp.MustCompile(`^\s*Function : (\w+)`)
	sassLine     = regexp.MustCompile(`^\s*/\*([0-9a-f]{4,})\*/\s+(@!?U?P\w+\s+)?([\w.]+)\s*([^;]*);`)
	sassTarget   = regexp.MustCompile(`\b0x([0-9a-f]+)\s*$`)
	sassBarrier  = regexp.MustCompile(`\bB\d+\b`)
)

// parseSASS reads what cuobjdump -sass writes, by mangled names.
func parseSASS(text string) map[string]*flow {
	type place struct {
		f  *flow
		at []int64
	}
	functions, name := map[string]*place{}, ""
	for line := range strings.Lines(text) {
		if m := sassFunction.FindStringSubmatch(line); m != nil {
			name = m[1]
			functions[name] = &place{f: &flow{}}
			continue
		}
		m := sassLine.FindStringSubmatch(line)
		p := functions[name]
		if m == nil || p == nil {
			continue
		}
		address, _ := strconv.ParseInt(m[1], 16, 64)
		p.at = append(p.at, address)
		p.f.ops = append(p.f.ops, op{name: m[3], operands: strings.TrimSpace(m[4]), guarded: m[2] != ""})
	}
	out := map[string]*flow{}
	for name, p := range functions {
		p.f.connect(p.at)
		out[name] = p.f
	}
	return out
}

// connect gives the branches of machine code their targets, and leaves out what stands behind its end: a branch to
// itself and padding.
func (f *flow) connect(at []int64) {
	index := func(operands string) (int, bool) {
		m := sassTarget.FindStringSubmatch(operands)
		if m == nil {
			return 0, false
		}
		address, _ := strconv.ParseInt(m[1], 16, 64)
		return slices.BinarySearch(at, address)
	}
	for n := len(f.ops); n > 0; n-- {
		o := &f.ops[n-1]
		t, ok := index(o.operands)
		if o.name != "NOP" && !(o.name == "BRA" && ok && t == n-1) {
			break
		}
		f.ops = f.ops[:n-1]
	}
	joins := map[string]int{} // where a convergence barrier is waited for, by its register
	for i := range f.ops {
		o := &f.ops[i]
		name, _, _ := strings.Cut(o.name, ".")
		switch name {
		case "BSSY":
			if t, ok := index(o.operands); ok {
				joins[sassBarrier.FindString(o.operands)] = t
			}
		case "BRA", "BRX", "JMP":
			if t, ok := index(o.operands); ok {
				o.targets = []int{t}
			}
			o.ends = !o.guarded && !strings.Contains(o.operands, "P") || strings.HasPrefix(o.name, "BRX")
			if strings.HasPrefix(o.name, "BRA.DIV") || strings.HasPrefix(o.name, "BRA.CONV") {
				o.ends = false
			}
		case "BSYNC":
			if t, ok := joins[sassBarrier.FindString(o.operands)]; ok && !o.guarded {
				o.targets, o.ends = []int{t}, true
			}
		case "EXIT", "RET", "KILL":
			o.ends = !o.guarded && !strings.Contains(o.operands, "P")
		}
	}
}

// Static counts a function's instructions, and those of each of its loops without what is inside inner ones.
func (f *flow) Static() (all Counts) {
	for i := range f.ops {
		if c := ClassOf(f.ops[i].name, f.ops[i].operands); c != 0 {
			all[c]++
		}
	}
	return all
}

var (
	ptxEntry  = regexp.MustCompile(`^\s*(?:\.visible )?\.entry (\w+)`)
	ptxLabel  = regexp.MustCompile(`^([$\w]+):`)
	ptxLine   = regexp.MustCompile(`^\s*(@!?%p\d+\s+)?([a-z][\w.]*)\b\s*([^;]*);`)
	ptxTarget = regexp.MustCompile(`[$\w]+$`)
)

// parsePTX reads PTX, by mangled names.
func parsePTX(text string) map[string]*flow {
	out, labels := map[string]*flow{}, map[string]int{}
	var f *flow
	finish := func() {
		if f == nil {
			return
		}
		for i := range f.ops {
			if o := &f.ops[i]; strings.HasPrefix(o.name, "bra") {
				if t, ok := labels[ptxTarget.FindString(o.operands)]; ok {
					o.targets = []int{t}
				}
			}
		}
		f, labels = nil, map[string]int{}
	}
	for line := range strings.Lines(text) {
		if m := ptxEntry.FindStringSubmatch(line); m != nil {
			finish()
			f = &flow{}
			out[m[1]] = f
			continue
		}
		if f == nil {
			continue
		}
		if m := ptxLabel.FindStringSubmatch(line); m != nil {
			labels[m[1]] = len(f.ops)
			continue
		}
		if m := ptxLine.FindStringSubmatch(line); m != nil {
			guarded := m[1] != ""
			ends := !guarded && (strings.HasPrefix(m[2], "bra") || m[2] == "ret" || m[2] == "exit" || m[2] == "trap")
			f.ops = append(f.ops, op{name: m[2], operands: strings.TrimSpace(m[3]), guarded: guarded, ends: ends})
		}
	}
	finish()
	return out
}

var (
	irDefine = regexp.MustCompile(`^define .*@([\w.]+)\(`)
	irLabel  = regexp.MustCompile(`^([\w.]+):`)
	irCase   = regexp.MustCompile(`^\s+i\d+ -?\d+, label|^\s+\]`)
	irUse    = regexp.MustCompile(`label %([\w.]+)`)
	irName   = regexp.MustCompile(`^\s+(?:%[\w.]+ = )?(?:tail |musttail |notail )?(\w+)\s*(.*)`)
)

// parseIR reads LLVM's text, by mangled names.
func parseIR(text string) map[string]*flow {
	out := map[string]*flow{}
	var f *flow
	labels := map[string]int{}
	type jump struct {
		at int
		to string
	}
	var jumps []jump
	for line := range strings.Lines(text) {
		if m := irDefine.FindStringSubmatch(line); m != nil {
			f, labels, jumps = &flow{}, map[string]int{}, nil
			out[m[1]] = f
			continue
		}
		if f == nil {
			continue
		}
		if strings.HasPrefix(line, "}") {
			for _, j := range jumps {
				if t, ok := labels[j.to]; ok {
					f.ops[j.at].targets = append(f.ops[j.at].targets, t)
				}
			}
			f = nil
			continue
		}
		if m := irLabel.FindStringSubmatch(line); m != nil {
			labels[m[1]] = len(f.ops)
			continue
		}
		if m := irName.FindStringSubmatch(line); m != nil && !irCase.MatchString(line) {
			o := op{name: m[1], operands: m[2]}
			o.ends = m[1] == "br" || m[1] == "ret" || m[1] == "switch" || m[1] == "unreachable"
			f.ops = append(f.ops, o)
			for _, u := range irUse.FindAllStringSubmatch(line, -1) {
				jumps = append(jumps, jump{len(f.ops) - 1, u[1]})
			}
		} else if strings.Contains(line, "label %") { // a line of a switch
			for _, u := range irUse.FindAllStringSubmatch(line, -1) {
				jumps = append(jumps, jump{len(f.ops) - 1, u[1]})
			}
		}
	}
	return out
}
