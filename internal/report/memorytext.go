package report

import (
	"fmt"
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/sheet"
)

// memoryText says what the launch moves from and to device memory, beside what no
// cache could avoid if all of it is known, and what that load makes of its latency; empty
// if neither is known.
func (p *Prediction) memoryText() string {
	var parts []string
	if m := p.Mapping.Traffic; m != nil && m.ReadBytes+m.WrittenBytes > 0 {
		text := p.otherLaunch() + "moves " + sheet.Bytes(m.ReadBytes+m.WrittenBytes)
		switch least := m.CompulsoryReadBytes + m.CompulsoryWrittenBytes; {
		case m.Partial:
			text += " at known addresses, and what is at others"
		case least > 0:
			about := ""
			if m.Estimated {
				about = "about "
			}
			text += fmt.Sprintf(" (%s%sx the minimum)", about,
				sheet.Significant(float64(m.ReadBytes+m.WrittenBytes)/float64(least)))
		}
		parts = append(parts, text)
	}
	if n := int64(p.Roof.Private); n > 0 {
		parts = append(parts, sheet.Bytes(n)+" more of private memory")
	}
	if c := p.Result.Contention; c != nil {
		parts = append(parts,
			fmt.Sprintf("under load a global access takes %s cycles on average, %s at most (device memory "+
				"without load: %s cycles)",
				sheet.Grouped(int64(c.Mean+0.5)), sheet.Grouped(int64(c.Longest.Float()+0.5)),
				sheet.Grouped(int64(c.Constants.Unloaded.Float()+0.5))))
	}
	return strings.Join(parts, " · ")
}

// otherLaunch names the launch of the graph where the time is not that of it, as its compute
// unit is given another number of groups to run (--groups); else it is empty.
func (p *Prediction) otherLaunch() string {
	l := &p.Graph.Launch
	if share := (l.TotalGroups()-1)/int64(p.Mapping.Device.ComputeUnits) + 1; p.Result.Groups == share {
		return ""
	}
	return fmt.Sprintf("the launch of %s groups ", idg.Extent(l.Groups))
}
