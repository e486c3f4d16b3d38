package report

import (
	"fmt"
	"strings"

	"gpupipe/internal/sheet"
	"gpupipe/simulate/roof"
)

// leastShare is the share of a peak below which it is not reported.
const leastShare = 0.01

// roofText says how far the launch is from each peak, the nearest first, "" if nothing is known of that.
func (p *Prediction) roofText() string {
	var parts []string
	for i := range p.Roof.Uses {
		u := &p.Roof.Uses[i]
		switch {
		case u.Share() >= leastShare:
			parts = append(parts, fmt.Sprintf("%s of %s (%s)", sheet.Percent(u.Share()), u.Name, rateText(u)))
		case u.Peak == 0:
			parts = append(parts, fmt.Sprintf("%s %s", u.Name, rateText(u)))
		}
	}
	text := strings.Join(parts, ", ")
	if p.Roof.Intensity > 0 {
		text += fmt.Sprintf("; %s FLOP for each byte of DRAM", sheet.Significant(p.Roof.Intensity))
	}
	return strings.TrimPrefix(text, "; ")
}

// rateText is a rate in a unit of its size, with its peak if that is known: "2.85 of 35.6 TFLOP/s".
func rateText(u *roof.Use) string {
	size, prefix := 1e9, "G"
	if max(u.PerSecond, u.Peak) >= 1e12 {
		size, prefix = 1e12, "T"
	}
	unit := prefix + "FLOP/s"
	if u.Bytes {
		unit = prefix + "B/s"
	}
	if u.Peak == 0 {
		return sheet.Significant(u.PerSecond/size) + " " + unit
	}
	return fmt.Sprintf("%s of %s %s", sheet.Significant(u.PerSecond/size), sheet.Significant(u.Peak/size), unit)
}
