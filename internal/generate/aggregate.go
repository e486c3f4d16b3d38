package generate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

// update is a statement that adds to global memory, as the user's text has it: "atomicAdd(&bins[k], 1);".
type update struct {
	call, address, value, kind string // name, arguments, and the type of what is added
	from, to                   int    // of the call, as offsets in the text
	body, end                  int    // behind the kernel's first brace, and its last one
	access                     *idg.Access
}

// updateOf is the first statement of a kernel that adds at places for which is holds.
func updateOf(s *Source, fn *ast.Function, g *idg.Graph, is func(*idg.Access) bool) (u update, ok bool) {
	ast.WalkStmt(fn.Body, func(st ast.Stmt) {
		x, _ := st.(*ast.ExprStmt)
		if x == nil || ok {
			return
		}
		call, _ := x.X.(*ast.BuiltinCall)
		if call == nil || call.P.File != s.File ||
			call.Builtin.Name != "atomic_add" && call.Builtin.Name != "atomic_inc" {
			return
		}
		at := slices.IndexFunc(g.Instrs(), func(in idg.Instr) bool {
			a := globalAtomic(g, &in)
			return a != nil && is(a) &&
				in.Pos == (idg.Pos{File: call.P.File, Line: call.P.Line, Column: call.P.Column})
		})
		if at < 0 {
			return
		}
		u = update{kind: typeName(call.Type(), s.Dialect), access: g.Access(g.Instrs()[at].Access)}
		ok = u.kind != "" && u.read(s.Text, s.offset(call.P), s.offset(fn.Body.Pos()))
	})
	return u, ok
}

// typeName is a type that atomics of all devices add, as a language writes it; "" for others.
func typeName(t *ctypes.Type, d ast.Dialect) string {
	if t.Kind == ctypes.ULong && d == ast.CUDA {
		return "unsigned long long"
	}
	return map[ctypes.Kind]string{ctypes.Int: "int", ctypes.UInt: "unsigned int", ctypes.Float: "float"}[t.Kind]
}

// offset is where a position is in the text, -1 if it is not.
func (s *Source) offset(p diag.Pos) int {
	at := 0
	for range p.Line - 1 {
		n := strings.IndexByte(s.Text[at:], '\n')
		if n < 0 {
			return -1
		}
		at += n + 1
	}
	return at + p.Column - 1
}

// read takes a call and the braces around a kernel apart, and reports whether they stand there.
func (u *update) read(text string, call, body int) bool {
	if call < 0 || body < 0 || body >= len(text) || text[body] != '{' {
		return false
	}
	open := strings.IndexByte(text[call:], '(')
	if open < 0 {
		return false
	}
	args, to := enclosed(text, call+open)
	_, end := enclosed(text, body)
	if len(args) == 0 || len(args) > 2 || end < 0 {
		return false
	}
	u.call, u.address, u.value = text[call:call+open], args[0], "1"
	if len(args) == 2 {
		u.value = args[1]
	} else {
		u.call = "atomic_add" // for OpenCL's atomic_inc
	}
	u.from, u.to, u.body, u.end = call, to+1, body+1, end
	return true
}

// enclosed divides what the parentheses at an offset have around them at their commas, and tells where they end; -1 if
// they do not. Comments and strings are not looked for.
func enclosed(text string, at int) (parts []string, end int) {
	depth, from := 0, at+1
	for i := at; i < len(text); i++ {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ',':
			if depth == 1 {
				parts, from = append(parts, strings.TrimSpace(text[from:i])), i+1
			}
		case ')', ']', '}':
			if depth--; depth == 0 {
				return append(parts, strings.TrimSpace(text[from:i])), i
			}
		}
	}
	return nil, -1
}

// words are what the languages call the same.
type words struct{ local, barrier, item string }

var wordsOf = map[ast.Dialect]words{
	ast.CUDA: {"__shared__", "__syncthreads();",
		"threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)"},
	ast.OpenCL: {"__local", "barrier(CLK_LOCAL_MEM_FENCE);",
		"get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2))"},
}

// item is the number of a work item in its group.
func (w *words) itemOf(g *idg.Graph) string {
	if l := g.Launch.Local; l[1] == 1 && l[2] == 1 {
		one, _, _ := strings.Cut(w.item, " ")
		return one
	}
	return w.item
}

// combineFirst adds what a group's work items add to one word among themselves: each warp by shuffles and the warps by
// local memory, or in OpenCL C as a tree in local memory (Harris, Optimizing Parallel Reduction in CUDA).
func combineFirst(s *Source, fn *ast.Function, g *idg.Graph) *Source {
	u, ok := updateOf(s, fn, g, func(a *idg.Access) bool {
		return a.Known() && !slices.ContainsFunc(a.Offsets, func(o int64) bool { return o != a.Offsets[0] })
	})
	w := wordsOf[s.Dialect]
	warps, items := g.Launch.WarpsPerGroup(), g.Launch.WorkItems()
	if !ok || warps < 2 || items != warps*int64(g.Launch.WarpSize) || items&(items-1) != 0 {
		return nil
	}
	before := fmt.Sprintf(" %s %s part_[%d]; %s sum_ = 0;", w.local, u.kind, items, u.kind)
	after := fmt.Sprintf("const int t_ = %s; part_[t_] = sum_; %s "+
		"for (int d_ = %d; d_ > 0; d_ /= 2) { if (t_ < d_) part_[t_] += part_[t_ + d_]; %s } "+
		"if (t_ == 0) %s(%s, part_[0]); ", w.itemOf(g), w.barrier, items/2, w.barrier, u.call, u.address)
	if s.Dialect == ast.CUDA {
		before = fmt.Sprintf(" %s %s part_[%d]; %s sum_ = 0;", w.local, u.kind, warps, u.kind)
		after = fmt.Sprintf("const int t_ = %s; for (int d_ = %d; d_ > 0; d_ /= 2) "+
			"sum_ += __shfl_down_sync(0xffffffff, sum_, d_); if (t_ %% %d == 0) part_[t_ / %d] = sum_; %s "+
			"if (t_ == 0) { for (int k_ = 1; k_ < %d; k_++) sum_ += part_[k_]; %s(%s, sum_); } ", w.itemOf(g),
			g.Launch.WarpSize/2, g.Launch.WarpSize, g.Launch.WarpSize, w.barrier, warps, u.call, u.address)
	}
	return u.changed(s, before, s.Text[u.body:u.from]+"sum_ += "+u.value+s.Text[u.to:u.end], after)
}

// binsGroups are the groups of a launch where each has bins of its own: as many as are resident at once.
func binsGroups(d *latencies.Device, g *idg.Graph) [3]int64 {
	groups := g.Launch.Groups
	if d == nil || d.Limits.Warps == 0 {
		return groups
	}
	left := int64(d.ComputeUnits) * max(1, d.Limits.Warps/g.Launch.WarpsPerGroup())
	for i := range groups {
		groups[i] = min(groups[i], left)
		left = max(1, left/groups[i])
	}
	return groups
}

// groupNumber is the number of the group, or a place that has it, in a dimension.
var groupNumber = regexp.MustCompile(`\bblockIdx\s*\.\s*([xyz])\b|\bget_(group|global)_id\s*\(\s*([012])\s*\)`)

// loops are the words at which a statement "continue" would go elsewhere.
var loops = regexp.MustCompile(`\b(for|while|do|switch)\b`)

// ownBins counts in an array of the group, which its work items add to the others' at its end (CUDA Samples,
// histogram256), and goes through several elements, unless the kernel has a loop itself.
func ownBins(s *Source, fn *ast.Function, g *idg.Graph) *Source {
	u, ok := updateOf(s, fn, g, func(a *idg.Access) bool { return a.IsBins() })
	buffer, index, found := u.place()
	if !ok || !found {
		return nil
	}
	w := wordsOf[s.Dialect]
	bins := u.access.Within / int64(u.access.Width)
	k, each := w.itemOf(g), "" // a bin for each work item
	if bins != g.Launch.WorkItems() {
		k, each = "k_", fmt.Sprintf("for (int k_ = %s; k_ < %d; k_ += %d) ", k, bins, g.Launch.WorkItems())
	}
	before := fmt.Sprintf(" %s %s own_[%d]; %sown_[%s] = 0; %s ", w.local, u.kind, bins, each, k, w.barrier)
	after := fmt.Sprintf("%s %s%s(&%s[%s], own_[%[5]s]); ", w.barrier, each, u.call, buffer, k)
	body := s.Text[u.body:u.from] + u.call + "(&own_[" + index + "], " + u.value + ")" + s.Text[u.to:u.end]
	if loops.MatchString(body) {
		return u.changed(s, before, body, after)
	}
	body = strings.ReplaceAll(body, "return;", "continue;")
	body = groupNumber.ReplaceAllStringFunc(body, func(x string) string {
		m := groupNumber.FindStringSubmatch(x)
		dim := strings.IndexAny("xyz012", m[1]+m[3]) % 3
		if m[2] == "global" {
			return fmt.Sprintf("(b%d_ * get_local_size(%[1]d) + get_local_id(%[1]d))", dim)
		}
		return fmt.Sprintf("b%d_", dim)
	})
	for dim := range 3 {
		group, groups := "blockIdx."+"xyz"[dim:dim+1], "gridDim."+"xyz"[dim:dim+1]
		if s.Dialect == ast.OpenCL {
			group, groups = fmt.Sprintf("get_group_id(%d)", dim), fmt.Sprintf("get_num_groups(%d)", dim)
		}
		before += fmt.Sprintf("for (unsigned b%d_ = %s; b%[1]d_ < %[3]d; b%[1]d_ += %[4]s) ", dim, group,
			g.Launch.Groups[dim], groups)
	}
	other := u.changed(s, before+"{", body, "} "+after)
	other.fewer = true
	return other
}

// place is the buffer that an update adds to, and where: of "&bins[k]" or "bins + k".
func (u *update) place() (buffer, index string, ok bool) {
	if element, is := strings.CutPrefix(u.address, "&"); is {
		buffer, index, ok = strings.Cut(strings.TrimSuffix(element, "]"), "[")
		return buffer, index, ok && strings.HasSuffix(element, "]")
	}
	buffer, index, ok = strings.Cut(u.address, "+")
	return strings.TrimSpace(buffer), index, ok
}

// changed is a source with another body of the kernel.
func (u *update) changed(s *Source, parts ...string) *Source {
	other := *s
	other.Text = s.Text[:u.body] + strings.Join(parts, "") + s.Text[u.end:]
	return &other
}
