package latencies

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"gpupipe/internal/diag"
	"gpupipe/internal/spelling"
)

func (d *decoder) subsystems(s *section) {
	own := map[string]bool{}
	for _, n := range d.list(s, "subsystems") {
		q := d.section(n, "subsystems.", "name", "doc", "partitioned", "queue")
		if q == nil {
			continue
		}
		sub := Subsystem{Name: d.text(q, "name"), Doc: d.text(q, "doc")}
		sub.Partitioned, _ = d.flag(q, "partitioned")
		switch {
		case q.has("name") == nil:
			d.fail(d.pos(n), "a subsystem has no name")
		case sub.Name == "":
		case !isSubsystemName(sub.Name):
			d.fail(d.pos(q.has("name")), "%q is not a name of a subsystem: use lower-case letters, digits, - and _",
				sub.Name)
		case own[sub.Name]:
			d.fail(d.pos(q.has("name")), "subsystem %q is given twice", sub.Name)
		default:
			own[sub.Name] = true
			id, ok := d.dev.subsystem(sub.Name)
			if ok {
				sub.Queue = d.dev.Subsystems[id].Queue // unless it is given again
				d.dev.Subsystems[id] = sub
			} else {
				id = SubsystemID(len(d.dev.Subsystems))
				d.dev.Subsystems = append(d.dev.Subsystems, sub)
			}
			q.path += sub.Name + "."
			d.number(q, counted("queue", maxQueue, &d.dev.Subsystems[id].Queue).orZero())
		}
	}
}

func isSubsystemName(s string) bool {
	return s != "" && len(s) <= 40 && s[0] >= 'a' && s[0] <= 'z' &&
		strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

// subsystemAt is the subsystem that a value names.
func (d *decoder) subsystemAt(n ast.Node) SubsystemID {
	name, _ := scalar(n)
	id, ok := d.dev.subsystem(name)
	if !ok {
		var names []string
		for _, sub := range d.dev.Subsystems {
			names = append(names, sub.Name)
		}
		d.fail(d.pos(n), "the device has no subsystem %q; %s", name, spelling.Known("subsystems", name, names))
	}
	return id
}

// subsystem finds a subsystem by its name.
func (d *Device) subsystem(name string) (SubsystemID, bool) {
	for i := range d.Subsystems {
		if d.Subsystems[i].Name == name {
			return SubsystemID(i), true
		}
	}
	return 0, false
}

func (d *decoder) instructions(s *section) {
	own := map[string]bool{}
	for _, n := range d.list(s, "instructions") {
		q := d.section(n, "instructions.", "match", "subsystem", "cpi", "latency", "source", "derived",
			"latency_source", "latency_derived", "issue", "dependents", "note", "faster_than_issue", "interval")
		if q == nil {
			continue
		}
		in, ok := d.instruction(q)
		if !ok {
			continue
		}
		if own[in.Match] {
			d.fail(d.pos(q.has("match")), "there are two entries for %s", in.Match)
			continue
		}
		own[in.Match] = true
		if i := slices.IndexFunc(d.dev.Instructions, func(o Instruction) bool { return o.Match == in.Match }); i >= 0 {
			d.dev.Instructions[i] = in
		} else {
			d.dev.Instructions = append(d.dev.Instructions, in)
		}
	}
}

func (d *decoder) instruction(q *section) (Instruction, bool) {
	before := len(d.errs)
	for _, key := range []string{"match", "subsystem", "cpi", "latency"} {
		if q.has(key) == nil {
			d.fail(d.pos(q.node), "an instruction entry has no %s", key)
		}
	}
	in := Instruction{Match: d.text(q, "match"), Pos: d.pos(q.node)}
	if in.Match != "" {
		if wrong := checkMatch(in.Match); wrong != "" {
			d.fail(d.pos(q.has("match")), "%s", wrong)
		}
	}
	if d.text(q, "subsystem") != "" {
		in.Subsystem = d.subsystemAt(q.has("subsystem"))
	}
	p := d.provenance(q, fmt.Sprintf("the entry for %s", in.Match))
	in.Source, in.Derived, in.Note = p.source, p.derived, p.note
	ofLatency := p
	if in.LatencySource = d.text(q, "latency_source"); in.LatencySource != "" {
		in.LatencyDerived = d.oneOf(q, "latency_derived", deriveRuleNames())
		ofLatency.source, ofLatency.derived = in.LatencySource, in.LatencyDerived
	} else if n := q.has("latency_derived"); n != nil {
		d.fail(d.pos(n), "the entry for %s has latency_derived without latency_source", in.Match)
	}
	path := "instructions." + in.Match
	if n := q.has("cpi"); n != nil {
		if v, ok := d.value(n, path+".cpi", number{max: maxCPI}); ok {
			in.Timing.CPI = v
			d.issueFloor(q, in.Match, v)
		}
	}
	if n := q.has("latency"); n != nil {
		if v, ok := d.value(n, path+".latency", number{max: maxLatency}); ok {
			in.Timing.Latency = v
		}
	}
	d.dev.Origins = slices.DeleteFunc(d.dev.Origins, func(o Origin) bool { // of the base device's entry
		return o.Path == path+".issue" || strings.HasPrefix(o.Path, path+".dependents.")
	})
	q.path += in.Match + "."
	d.number(q, counted("issue", maxSlots, &in.Issue))
	d.dependents(q, &in)
	if len(d.errs) > before {
		return in, false
	}
	d.origin(path+".cpi", in.Timing.CPI, p, d.pos(q.has("cpi")))
	d.origin(path+".latency", in.Timing.Latency, ofLatency, d.pos(q.has("latency")))
	return in, true
}

// dependents reads Λ of an entry for what waits for it in some subsystems.
func (d *decoder) dependents(q *section, in *Instruction) {
	for _, n := range d.list(q, "dependents") {
		s := d.section(n, q.path+"dependents.", "subsystem", "latency", "source", "derived", "note")
		if s == nil {
			continue
		}
		for _, key := range []string{"subsystem", "latency"} {
			if s.has(key) == nil {
				d.fail(d.pos(n), "what waits for %s has no %s", in.Match, key)
				return
			}
		}
		if d.text(s, "subsystem") == "" {
			return
		}
		p, to := d.provenance(s, "the latency of "+in.Match),
			DependentLatency{Subsystem: d.subsystemAt(s.has("subsystem"))}
		path := s.path + "latency"
		v, ok := d.value(s.has("latency"), path, number{max: maxLatency})
		switch {
		case !ok:
			return
		case v.Cmp(in.Timing.Latency) >= 0:
			d.fail(d.pos(n), "%s is %v; for some that wait it can only be less than %v", path, v, in.Timing.Latency)
			return
		}
		to.Latency, to.Source = v, bySource(p.source, p.derived)
		in.Dependents = append(in.Dependents, to)
		name, _ := scalar(s.has("subsystem"))
		d.origin(s.path+name, v, p, d.pos(s.has("latency")))
	}
}

// issueFloor checks that a compute unit can issue the instruction as often as
// its λ promises: λ ≥ 1/issue limit, unless the file says why not.
func (d *decoder) issueFloor(q *section, match string, cpi Cycles) {
	reason := d.text(q, "faster_than_issue")
	rate, err := cpi.Mul(d.dev.IssueLimit)
	if err != nil || d.dev.IssueLimit.IsZero() {
		return // reported where the issue limit is missing or out of range
	}
	faster := rate.Cmp(WholeCycles(1)) < 0
	switch {
	case faster && reason == "":
		d.fail(d.pos(q.has("cpi")), "%s: cpi %v is less than 1/issue_limit (%v instructions per cycle); say why in "+
			"faster_than_issue if that is meant", match, cpi, d.dev.IssueLimit)
	case faster:
		d.dev.Warnings.Add(diag.Warningf(d.pos(q.has("cpi")), "ISSUE-FLOOR",
			"%s: cpi %v is less than 1/issue_limit: %s", match, cpi, reason))
	case reason != "":
		d.fail(d.pos(q.has("faster_than_issue")), "%s: cpi %v is not less than 1/issue_limit: drop faster_than_issue",
			match, cpi)
	}
}
