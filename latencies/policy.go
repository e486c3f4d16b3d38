package latencies

import (
	"fmt"
	"slices"
	"strings"
)

// Scheduler orders the warps of a sub-core that have a ready instruction.
type Scheduler uint8

// The schedulers. The zero value is invalid; a device that has it leaves the choice to the simulator.
const (
	RoundRobin         Scheduler = iota + 1 // by place, from the one after the warp that issued last
	GreedyThenOldest                        // the warp that issued last, then the oldest
	GreedyThenYoungest                      // the warp that issued last, then the youngest (Huerta et al. 2025, 5.1.2)
	Oldest                                  // the oldest warp first
	GroupPrecedence                         // the oldest group first, round-robin within it
)

// schedulers are the names, and what they mean where they do not say so.
var schedulers = policies[Scheduler]{"scheduler", []policy{
	{"rr", "round robin"}, {"gto", "greedy, then oldest"}, {"gty", "greedy, then youngest"}, {"oldest", ""},
	{"group", "oldest group first"},
}}

func (s Scheduler) String() string { return schedulers.name(s) }

// ParseScheduler returns the scheduler of a name.
func ParseScheduler(name string) (Scheduler, error) { return schedulers.parse(name) }

// Schedulers are all there are, SchedulerNames what they are called, and SchedulerHelp is a list of both.
func Schedulers() []Scheduler  { return schedulers.all() }
func SchedulerNames() []string { return schedulers.names() }
func SchedulerHelp() string    { return schedulers.help() }

// IssueMode says which instructions of a warp may issue.
type IssueMode uint8

// The issue modes. The zero value is invalid; a device that has it leaves the choice to the simulator.
const (
	Dataflow IssueMode = iota + 1 // any ready instruction of the warp (the papers' reading)
	InOrder                       // only the next one in program order
	Blocks                        // any ready instruction of the basic block, blocks in order (see package simulate)
)

var issueModes = policies[IssueMode]{"issue mode", []policy{{"dataflow", ""}, {"in-order", ""}, {"blocks", ""}}}

func (m IssueMode) String() string { return issueModes.name(m) }

// ParseIssueMode returns the issue mode of a name.
func ParseIssueMode(name string) (IssueMode, error) { return issueModes.parse(name) }

// IssueModes are all there are, and IssueModeNames what they are called.
func IssueModes() []IssueMode  { return issueModes.all() }
func IssueModeNames() []string { return issueModes.names() }

// policy is an alternative, and policies are all of a kind, from the value 1 on.
type policy struct{ name, meaning string }

type policies[T ~uint8] struct {
	what string
	list []policy
}

func (p policies[T]) name(v T) string {
	if v == 0 || int(v) > len(p.list) {
		return "invalid " + p.what
	}
	return p.list[v-1].name
}

func (p policies[T]) parse(name string) (T, error) {
	i := slices.Index(p.names(), name)
	if i < 0 {
		names := p.names()
		last := len(names) - 1
		return 0, fmt.Errorf("there is no %s %q; there are %s and %s", p.what, name, strings.Join(names[:last], ", "),
			names[last])
	}
	return T(i + 1), nil
}

func (p policies[T]) all() (list []T) {
	for i := range p.list {
		list = append(list, T(i+1))
	}
	return list
}

func (p policies[T]) names() (list []string) {
	for _, x := range p.list {
		list = append(list, x.name)
	}
	return list
}

// help lists the names and what they mean.
func (p policies[T]) help() string {
	list := p.names()
	for i, x := range p.list {
		if x.meaning != "" {
			list[i] += " (" + x.meaning + ")"
		}
	}
	list[len(list)-1] = "or " + list[len(list)-1]
	return strings.Join(list, ", ")
}
