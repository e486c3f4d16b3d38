package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// readRuns reads the times of all runs of all configurations from a cache file of
// Kernel Tuner (gzip), in the file's unit; those that failed are left out.
func readRuns(file string) ([][]float64, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var tuned struct {
		Cache map[string]struct {
			Times []float64 `json:"times"`
		} `json:"cache"`
	}
	if err := errors.Join(json.NewDecoder(z).Decode(&tuned), z.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var out [][]float64
	for _, c := range tuned.Cache {
		if len(c.Times) > 2 {
			out = append(out, c.Times)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: there are no times of runs", file)
	}
	return out, nil
}

// How the ratios of the slowest to the fastest run of a configuration are counted:
// up to steady its speed is taken not to have changed.
const (
	steady = 1.1
	step   = 0.2
	steps  = 4 // before the last, open one
)

// writeRuns tells by how much the speed of one and the same configuration changed
// from run to run: the clock's doing, as nothing else differs.
func (s *study) writeRuns(w io.Writer, own float64) {
	if s.spec.Runs == "" {
		return
	}
	var count [steps + 1]int
	changed, most := 0, 1.0
	for _, times := range s.runs {
		low, high := times[1], times[1] // the first run pays for the launch of all
		for _, t := range times[1:] {
			low, high = min(low, t), max(high, t)
		}
		r := high / low
		if most = max(most, r); r <= steady {
			continue
		}
		changed++
		count[min(steps, int((r-steady)/step))]++
	}
	var list []string
	for i, n := range count {
		from := steady + step*float64(i)
		if i == steps {
			list = append(list, fmt.Sprintf("above %.1f %d", from, n))
		} else {
			list = append(list, fmt.Sprintf("%.1f to %.1f %d", from, from+step, n))
		}
	}
	fmt.Fprintf(w, "\nThe clock did change: the file of all runs (%s, also of configurations that are not in the "+
		"table) has %d configurations of %d whose slowest run takes more than %.1f times their fastest, the first "+
		"left out, at most %.2f times (", s.spec.Runs, changed, len(s.runs), steady, most)
	fmt.Fprintf(w, "%s).", strings.Join(list, ", "))
	for _, c := range s.spec.Clocks {
		fmt.Fprintf(w, " %g / %g MHz is %.2f.", own, c.MHz, own/c.MHz)
	}
	fmt.Fprintln(w)
}
