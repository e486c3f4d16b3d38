package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
)

// kttResults are the results of the Kernel Tuning Toolkit (KTT 2, JSON output), as far as they are
// read.
type kttResults struct {
	Results []struct {
		Configuration []struct {
			Name  string
			Value json.Number
		}
		ComputationResults []struct {
			Duration        json.Number
			CompilationData struct{ RegistersCount json.Number }
			ProfilingData   struct {
				Counters []struct {
					Name  string
					Value json.Number
				}
			}
		}
		Status string
	}
}

// readKTT reads results of KTT as the lines of a table: a column for each tuning parameter,
// Duration, RegistersCount, and one for each performance counter. Configurations that failed have
// their status in the place of the time. Only kernels alone are read, no composed ones.
func readKTT(file string) ([][]string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all kttResults
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var lines [][]string
	for i, r := range all.Results {
		var header, line []string
		add := func(name, value string) { header, line = append(header, name), append(line, value) }
		for _, p := range r.Configuration {
			add(p.Name, p.Value.String())
		}
		if len(r.ComputationResults) != 1 {
			return nil, fmt.Errorf("%s: result %d is of %d kernels; only results of one are read", file, i,
				len(r.ComputationResults))
		}
		c := &r.ComputationResults[0]
		if r.Status == "Ok" {
			add("Duration", c.Duration.String())
		} else {
			add("Duration", r.Status)
		}
		add("RegistersCount", c.CompilationData.RegistersCount.String())
		for _, n := range c.ProfilingData.Counters {
			add(n.Name, n.Value.String())
		}
		if lines == nil {
			lines = append(lines, header)
		}
		if len(line) != len(lines[0]) {
			return nil, fmt.Errorf("%s: result %d has %d values, the first has %d", file, i, len(line), len(lines[0]))
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// numeric is a value of a table, NaN for what is none.
func numeric(text string) float64 {
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return v
	}
	return math.NaN()
}
