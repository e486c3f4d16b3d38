package host

import (
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// Launch is a launch of a kernel as host code makes it.
type Launch struct {
	Pos         diag.Pos   // to the line
	Kernel      string     // its name, without namespaces
	Template    []Argument // given with the name
	Grid, Block Value      // extents: work groups, and work items of a group
	Shared      Value      // dynamic shared memory in bytes
	Args        []Value    // nil: not given by values
	// NoArguments says that some of these are values of a run of the program without arguments, and
	// others may differ.
	NoArguments bool
}

// chevrons takes the launch down whose <<< is token k.
func (r *interpreter) chevrons(k int) {
	end := k + 1
	for ; end < len(r.Tokens) && !r.is(end, ">>>"); end++ {
		if c := r.closing(end); c > end {
			end = c
		} else if r.is(end, ";") {
			return
		}
	}
	open := end + 1
	if r.quiet || !r.is(open, "(") || r.closing(open) < 0 {
		return
	}
	u := Launch{Pos: r.pos(k)}
	if !r.kernelName(&u, k) {
		return
	}
	r.configure(&u, r.argumentTokens(k+1, end), 0, 1, 2)
	u.Args = r.arguments(open)
	r.note(u)
}

// note takes a launch down, unless the interpretation was broken off while its values were computed.
func (r *interpreter) note(u Launch) {
	if r.spend(0) {
		r.launches = append(r.launches, u)
	}
}

// kernelName reads the kernel's name and template arguments in front of token end.
func (r *interpreter) kernelName(u *Launch, end int) bool {
	name := end - 1
	if r.is(name, ">") || r.is(name, ">>") {
		depth, lt := 0, name
		for ; lt > 0 && name-lt < 400; lt-- {
			switch r.at(lt) {
			case ">", ">>":
				depth += len(r.at(lt))
			case "<":
				depth--
			case ";", "{", "}":
				return false
			}
			if depth == 0 {
				break
			}
		}
		u.Template = r.templateList(lt+1, name)
		name = lt - 1
	}
	u.Kernel = r.at(name)
	return r.kindOf(name) == Word
}

// launchCall takes the launch down that a function of the runtime makes, its name at token k.
func (r *interpreter) launchCall(k int) {
	open := k + 1
	closing := r.closing(open)
	if r.quiet || closing < 0 {
		return
	}
	first := open + 1
	for again := true; again; { // casts, & and HIP_KERNEL_NAME in front of the name
		again = false
		if c := r.closing(first); r.is(first, "(") && c > 0 && !r.is(c+1, ",") {
			first, again = c+1, true
		} else if r.is(first, "(") || r.is(first, "&") || r.is(first, "HIP_KERNEL_NAME") {
			first, again = first+1, true
		}
	}
	end, _ := r.typeName(first)
	u := Launch{Pos: r.pos(k)}
	if end <= first || !r.kernelName(&u, end) {
		return
	}
	for r.is(end, ")") {
		end++
	}
	if !r.is(end, ",") || end >= closing {
		return
	}
	parts := r.argumentTokens(end+1, closing)
	if r.is(k, "hipLaunchKernelGGL") {
		r.configure(&u, parts, 0, 1, 2)
		u.Args = []Value{}
		for _, part := range parts[min(4, len(parts)):] {
			u.Args = append(u.Args, r.eval(part[0], part[1]))
		}
	} else {
		r.configure(&u, parts, 0, 1, 3)
	}
	r.note(u)
}

// configure evaluates the grid, the block and the shared memory of a launch, the parts of these
// numbers.
func (r *interpreter) configure(u *Launch, parts [][2]int, grid, block, shared int) {
	value := func(n int) Value {
		if n >= len(parts) {
			return unknownf("it is not given")
		}
		return r.eval(parts[n][0], parts[n][1])
	}
	u.Grid, u.Block = value(grid).asDim3(), value(block).asDim3()
	u.Shared = number(ctypes.IntValue(ctypes.ULong, 0))
	if shared < len(parts) {
		u.Shared = value(shared).as(variableType{kind: ctypes.ULong})
	}
}
