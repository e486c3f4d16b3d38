package main

import (
	"fmt"
	"strings"
)

// memoryText says what the launch moves from and to device memory, beside what no
// cache could avoid if all of it is known, and what that load makes of its latency; empty
// if neither is known.
func (t *textReport) memoryText() string {
	var parts []string
	if m := t.mapping.Traffic; m != nil && m.ReadBytes+m.WrittenBytes > 0 {
		text := t.otherLaunch() + "moves " + bytesText(m.ReadBytes+m.WrittenBytes)
		switch least := m.CompulsoryReadBytes + m.CompulsoryWrittenBytes; {
		case m.Partial:
			text += " at known addresses, and what is at others"
		case least > 0:
			about := ""
			if m.Estimated {
				about = "about "
			}
			text += fmt.Sprintf(" (%s%sx the minimum)", about, significant(float64(m.ReadBytes+m.WrittenBytes)/float64(least)))
		}
		parts = append(parts, text)
	}
	if c := t.result.Contention; c != nil {
		parts = append(parts, fmt.Sprintf("under load a global access takes %s cycles on average, %s at most (device memory without load: %s)",
			grouped(int64(c.Mean+0.5)), grouped(int64(c.Longest.Float()+0.5)), grouped(int64(c.Constants.Unloaded.Float()+0.5))))
	}
	return strings.Join(parts, " · ")
}

// otherLaunch names the launch of the graph where the time is not that of it, as its compute
// unit is given another number of groups to run (--groups); else it is empty.
func (t *textReport) otherLaunch() string {
	l := &t.graph.Launch
	if share := (l.TotalGroups()-1)/int64(t.mapping.Device.ComputeUnits) + 1; t.result.Groups == share {
		return ""
	}
	return fmt.Sprintf("the launch of %s groups ", extent(l.Groups))
}

// bytesText is a number of bytes in the decimal unit that suits it.
func bytesText(n int64) string {
	value, unit := float64(n), 0
	units := [...]string{"B", "kB", "MB", "GB", "TB", "PB", "EB"}
	for value >= 999.5 && unit+1 < len(units) {
		value /= 1000
		unit++
	}
	if unit == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return significant(value) + " " + units[unit]
}
