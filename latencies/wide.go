package latencies

import (
	"fmt"
	"strings"
)

// wide is half a 95% interval, relative, from which a prediction says that it rests on the number.
const wide = 0.05

// warnWide remarks which numbers of the mapping were measured with wide intervals.
func (m *mapping) warnWide() {
	matched := map[string]bool{}
	for i := range m.out.Entries {
		e := &m.out.Entries[i]
		for part := range strings.SplitSeq(e.Matched, " + ") {
			matched[part[strings.LastIndexByte(part, ' ')+1:]] = true // without how often
		}
		if e.Transactions > 0 {
			matched["memory"] = true
		}
	}
	var list []string
	for _, o := range m.dev.Origins {
		var name, what string
		if op, ok := strings.CutPrefix(o.Path, "instructions."); ok {
			name, what = op[:strings.LastIndexByte(op, '.')], op[strings.LastIndexByte(op, '.')+1:]
		} else {
			name, _, _ = strings.Cut(o.Path, ".")
		}
		if o.Interval <= wide || !matched[name] || what == "latency" { // an entry has one interval for both
			continue
		}
		if what == "" {
			name = o.Path
		}
		list = append(list, fmt.Sprintf("%s ±%.0f%%", name, 100*o.Interval))
	}
	if len(list) > 0 {
		m.out.Remarks = append(m.out.Remarks, "measured with wide intervals: "+strings.Join(list, ", "))
	}
}
