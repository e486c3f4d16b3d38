package main

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gpupipe/latencies"
)

// counters are what hardware counted of one launch.
type counters struct {
	memory  float64 // bytes of device memory, read and written
	sectors float64 // of L2, read, written and updated
}

// Columns of a table of counters (Nsight Compute: dram__bytes, lts__t_sectors_op).
var (
	memoryColumns = []string{"dram_read", "dram_written"}
	sectorColumns = []string{"l2_sectors_read", "l2_sectors_written"}
	updateColumns = []string{"l2_sectors_atom", "l2_sectors_red"} // not in every table
)

// How near counts are to be, how far off they are that a reason is due, and the bytes and sectors that every
// launch has besides: its code, its arguments and constants, which are not counted here.
const (
	memoryWithin, sectorsWithin = 0.15, 0.20
	farOff                      = 2
	besideBytes                 = 32 << 10
	besideSectors               = besideBytes / 32
)

// readCounters reads the table of a series' counters, in which each step has a row.
func readCounters(o *options, s *Spec) ([]counters, error) {
	if s.Counters == "" {
		return nil, nil
	}
	file := filepath.Join(o.measured, s.Counters)
	records, err := readRecords(file)
	if err != nil {
		return nil, err
	}
	sectors := slices.Clone(sectorColumns)
	for _, c := range updateColumns {
		if slices.Contains(records[0], c) {
			sectors = append(sectors, c)
		}
	}
	var list []counters
	for _, step := range s.Series {
		at := slices.IndexFunc(records, func(r []string) bool { return r[0] == step.Name })
		if at < 1 {
			return nil, fmt.Errorf("%s: there is no row of %s", file, step.Name)
		}
		sum := func(columns []string) (total float64) {
			for _, c := range columns {
				i := slices.Index(records[0], c)
				if i < 0 {
					err = fmt.Errorf("%s: there is no column %q", file, c)
					return 0
				}
				v, bad := strconv.ParseFloat(records[at][i], 64)
				if bad != nil {
					err = fmt.Errorf("%s: %w", file, bad)
				}
				total += v
			}
			return total
		}
		list = append(list, counters{sum(memoryColumns), sum(sectors)})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// countersOf are the same counts of a prediction.
func countersOf(t *latencies.Traffic) counters {
	if t == nil {
		return counters{}
	}
	return counters{float64(t.ReadBytes + t.WrittenBytes - t.LeftBytes),
		t.L2ReadSectors + t.L2WrittenSectors + t.L2UpdatedSectors}
}

// near reports whether a count is within a part of the counted one, far whether it is more than twice or less than
// half as much; what every launch has besides left out of account.
func near(count, counted, part, beside float64) bool {
	return math.Abs(count-counted) <= max(part*counted, beside)
}

func far(count, counted, beside float64) bool {
	return math.Abs(count-counted) > beside && (count > farOff*counted || counted > farOff*count)
}

// counted are the counters and the predicted counts of a row.
func (s *study) counted(i int) (counted, predicted counters) {
	return s.counters[s.table.rows[i].step], countersOf(s.predictions[i].counted)
}

// miscounts are the steps of which a count is far off; memory and sectors are how many are near.
func (s *study) miscounts() (steps []*StepSpec, memory, sectors int) {
	for i := range s.table.rows {
		c, p := s.counted(i)
		if far(p.memory, c.memory, besideBytes) || far(p.sectors, c.sectors, besideSectors) {
			steps = append(steps, &s.spec.Series[s.table.rows[i].step])
		}
		if near(p.memory, c.memory, memoryWithin, besideBytes) {
			memory++
		}
		if near(p.sectors, c.sectors, sectorsWithin, besideSectors) {
			sectors++
		}
	}
	return steps, memory, sectors
}

// writeCounters compares bytes of device memory and sectors of L2 with those that hardware counted.
func (s *study) writeCounters(w io.Writer) {
	if s.counters == nil {
		return
	}
	off, memory, sectors := s.miscounts()
	var rows strings.Builder
	for i := range s.table.rows {
		c, p := s.counted(i)
		mark := func(count, counted, part, beside float64) string {
			if near(count, counted, part, beside) {
				return ""
			}
			return fmt.Sprintf(" **%.2f**", count/counted)
		}
		m := mark(p.memory, c.memory, memoryWithin, besideBytes)
		l := mark(p.sectors, c.sectors, sectorsWithin, besideSectors)
		if m+l != "" {
			fmt.Fprintf(&rows, "| %s | %.4g | %.4g%s | %.4g | %.4g%s | %s |\n", s.table.rows[i].values[0], c.memory/1e6,
				p.memory/1e6, m, c.sectors/1e3, p.sectors/1e3, l, s.spec.Series[s.table.rows[i].step].Miscount)
		}
	}
	n, caches := len(s.table.rows), "with empty caches"
	if s.spec.CountedWarm {
		caches = "behind others"
	}
	fmt.Fprintf(w, "\nHardware counters of one launch %s: bytes of device memory are within %.0f%% in "+
		"%d of %d launches, sectors of L2 within %.0f%% in %d. What L2 still holds of what was written when the "+
		"launch ends is not counted; up to %d KiB of code and arguments are not predicted. %d launches are off by "+
		"more than a factor of %d. Those that are not within, with count / counter:\n\n"+
		"| kernel | MB counted | MB predicted | thousand sectors counted | predicted | why |\n"+
		"|---|---|---|---|---|---|\n%s",
		caches, 100*memoryWithin, memory, n, 100*sectorsWithin, sectors, besideBytes>>10, len(off), farOff, &rows)
}

// ratioWithin is how near a predicted ratio is to be.
const ratioWithin = 0.15

// ratios are those of the measured and of the predicted times; NaN where one is refused.
func (s *study) ratios(r RatioSpec) (measured, predicted float64) {
	at := func(name string) int {
		return slices.IndexFunc(s.table.rows, func(r row) bool { return r.values[0] == name })
	}
	of, to := at(r.Of), at(r.To)
	if of < 0 || to < 0 {
		return math.NaN(), math.NaN()
	}
	return s.table.rows[of].seconds / s.table.rows[to].seconds,
		s.predictions[of].seconds[0] / s.predictions[to].seconds[0]
}

// writeRatios compares ratios of times.
func (s *study) writeRatios(w io.Writer) {
	if len(s.spec.Ratios) == 0 {
		return
	}
	fmt.Fprintf(w, "\n| ratio of times | measured | predicted | within %.0f%% |\n|---|---|---|---|\n", 100*ratioWithin)
	for _, r := range s.spec.Ratios {
		measured, predicted := s.ratios(r)
		within := "yes"
		if !(math.Abs(predicted/measured-1) <= ratioWithin) {
			within = fmt.Sprintf("**no**, %+.0f%%", 100*(predicted/measured-1))
		}
		fmt.Fprintf(w, "| %s / %s | %.3g | %.3g | %s |\n", r.Of, r.To, measured, predicted, within)
	}
}
