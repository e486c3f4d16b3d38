package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: stalls FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "stalls:", err)
		os.Exit(1)
	}
}

// run writes a line for each launch that is not named, and how many are.
func run(folder string, out io.Writer) error {
	launches, err := readTable(filepath.Join(folder, "launches.csv"))
	if err != nil {
		return err
	}
	counters, err := readTable(filepath.Join(folder, "counters.csv"))
	if err != nil {
		return err
	}
	named := 0
	for _, l := range launches {
		at := slices.IndexFunc(counters, func(c map[string]string) bool { return c["kernel"] == l["kernel"] })
		if at < 0 {
			return fmt.Errorf("no counters of %s", l["kernel"])
		}
		reason, err := longest(counters[at])
		if err != nil {
			return err
		}
		said, err := predict(filepath.Join(folder, "suite"), l)
		if err != nil {
			return fmt.Errorf("%s: %w", l["kernel"], err)
		}
		what, reasons := said.names()
		if slices.Contains(reasons, reason) {
			named++
			continue
		}
		fmt.Fprintf(out, "%-28s %-20s %s\n", l["kernel"], reason, what)
	}
	_, err = fmt.Fprintf(out, "%d of %d launches: the longest reason is named first\n", named, len(launches))
	return err
}

// longest is the reason for which warps wait longest.
func longest(counters map[string]string) (reason string, err error) {
	most := -1.0
	for name, text := range counters {
		why, is := strings.CutPrefix(name, "stalled_")
		if !is || why == "selected" {
			continue
		}
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return "", err
		}
		if n > most || n == most && why < reason {
			reason, most = why, n
		}
	}
	return reason, nil
}

// verdict is what pipesim says of a launch.
type verdict struct {
	Bound      string
	Bottleneck struct{ Subsystem string }
	Causes     []struct {
		Code, Subsystem string
		Cycles          float64
	}
	Findings []struct{ Code string }
}

// names is what is said first, and the reasons that it explains.
func (v *verdict) names() (what string, reasons []string) {
	if len(v.Findings) > 0 {
		what = v.Findings[0].Code
		if reasons = explained[what]; reasons != nil {
			return what, reasons
		}
	}
	what = strings.TrimSpace(what + " " + v.Bound)
	if reasons = bound[v.Bound]; reasons != nil {
		return what, reasons
	}
	subsystem := v.Bottleneck.Subsystem
	if v.Bound != "throughput" {
		waits := map[string]float64{}
		for _, c := range v.Causes {
			if c.Code == "data" {
				waits[c.Subsystem] += c.Cycles
			}
		}
		for _, c := range v.Causes {
			if waits[c.Subsystem] > waits[subsystem] || waits[subsystem] == 0 {
				subsystem = c.Subsystem
			}
		}
	}
	if reasons = busy[subsystem]; reasons == nil {
		reasons = computing
	}
	return what + " " + subsystem, reasons
}

// predict runs idgen and pipesim for a launch.
func predict(folder string, l map[string]string) (*verdict, error) {
	flags := func(tool string) []string { return strings.Fields(l[tool+"_flags"] + " " + l[tool+"_hints"]) }
	idgen := exec.Command("idgen", append([]string{l["file"]}, flags("idgen")...)...)
	idgen.Dir = folder
	graph, err := output(idgen, nil)
	if err != nil {
		return nil, err
	}
	report, err := output(exec.Command("pipesim", append(flags("pipesim"), "--format", "json")...), graph)
	if err != nil {
		return nil, err
	}
	advice, err := output(exec.Command("pipesim", append(append([]string{"advise"}, flags("pipesim")...), "--format",
		"json")...), graph)
	if err != nil {
		return nil, err
	}
	v := new(verdict)
	return v, errors.Join(json.Unmarshal(report, v), json.Unmarshal(advice, v))
}

func output(c *exec.Cmd, in []byte) ([]byte, error) {
	var stderr bytes.Buffer
	c.Stdin, c.Stderr = bytes.NewReader(in), &stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%v: %w\n%s", c.Args, err, &stderr)
	}
	return out, nil
}

// readTable reads rows by the names of their columns.
func readTable(file string) (rows []map[string]string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil || len(records) == 0 {
		return nil, err
	}
	for _, r := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = r[i]
		}
		rows = append(rows, row)
	}
	return rows, nil
}
