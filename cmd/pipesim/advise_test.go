package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gpupipe/idg"
	"gpupipe/internal/report"
	"gpupipe/internal/test/tools"
	"gpupipe/kernels"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/cause"
)

// TestAdvice has pairs of kernels in testdata/advice: for NAME.before the finding NAME comes first,
// for NAME.after it does not come at all, and what it promised is what the change saves, within 10%.
func TestAdvice(t *testing.T) {
	pairs, err := filepath.Glob(filepath.Join("..", "..", "testdata", "advice", "*.before.*"))
	if err != nil || len(pairs) == 0 {
		t.Fatalf("%v pairs of kernels: %v", pairs, err)
	}
	for i, before := range pairs {
		if !tools.Full() && i%2 == 0 {
			continue
		}
		code, ext, _ := strings.Cut(filepath.Base(before), ".before")
		t.Run(code, func(t *testing.T) {
			was := adviceOf(t, before)
			is := adviceOf(t, strings.TrimSuffix(before, ".before"+ext)+".after"+ext)
			if len(was.Findings) == 0 || was.Findings[0].Code != code {
				t.Fatalf("the first finding is another one: %+v", was.Findings)
			}
			for _, f := range is.Findings {
				if f.Code == code {
					t.Errorf("still found after the change: %+v", f)
				}
			}
			before, promised, saved := was.Seconds, was.Findings[0].Seconds, is.Seconds
			if was.Findings[0].Scattered {
				before = was.Scattered.Seconds
			}
			t.Logf("%s: %.3g s before, %.3g s promised, %.3g s after", code, before, promised, saved)
			error := math.Abs(promised - saved)
			if error > 0.1*(before-saved) && !(rewrites[code] && error < 0.1*saved) {
				t.Errorf("%.4g s of %.4g s promised, %.4g s after the change", promised, before, saved)
			}
		})
	}
}

// rewrites are the findings whose remedy has costs that are not simulated: there the promise is within 10% of the time
// after it. Code with more registers has another schedule.
var rewrites = map[string]bool{"tile": true, "spills": true}

func adviceOf(t *testing.T, file string) (d report.Advice) {
	t.Helper()
	if _, err := os.Stat(file); err != nil {
		t.Fatal(err)
	}
	graph, err := exec.Command("idgen", "--gpu", "rtx3090", file).Output()
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if err := json.Unmarshal([]byte(pipesim(t, graph, "advise", "--format", "json", "-")), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestNoAdvice: nothing is found in kernels that are as good as the device allows.
func TestNoAdvice(t *testing.T) {
	for _, kernel := range []string{"vadd", "vabs", "fig1", "stencil", "transpose-padded"} {
		var d report.Advice
		if err := json.Unmarshal([]byte(pipesim(t, graphOf(t, "--builtin", kernel, "--gpu", "rtx3090"), "advise",
			"--format", "json", "-")), &d); err != nil {
			t.Fatal(err)
		}
		if len(d.Findings) > 0 {
			t.Errorf("%s: %+v", kernel, d.Findings)
		}
	}
}

var allCauses = flag.Bool("causes.all", false, "add up the causes of every built-in kernel, not only of some (minutes)")

// TestCauses adds up the causes of built-in kernels on all devices in all issue modes.
func TestCauses(t *testing.T) {
	list := []string{"reduction", "mmul"}[:tools.Cases(2, 1)]
	if *allCauses {
		list = nil
		for _, k := range kernels.List() {
			list = append(list, k.Name)
		}
	}
	for _, kernel := range list {
		t.Run(kernel, func(t *testing.T) {
			data, _ := graphAndNotes(t, "--builtin", kernel)
			g, err := idg.Decode(bytes.NewReader(data), kernel)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range latencies.Names() {
				addCauses(t, g, name)
			}
		})
	}
}

// addCauses adds up the causes of a kernel on a device. A device that has no parameters for the kernel's instructions
// is logged: not every device has tensor cores.
func addCauses(t *testing.T, g *idg.Graph, device string) {
	d, err := latencies.Builtin(device)
	if err != nil {
		t.Fatal(err)
	}
	mapper, err := latencies.NewMapper(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mapper.Map(g)
	if err != nil {
		t.Logf("%s: %v", device, err)
		return
	}
	for _, mode := range []simulate.IssueMode{simulate.Dataflow, simulate.InOrder, simulate.Blocks} {
		start := time.Now()
		r, err := simulate.Run(t.Context(), g, m, simulate.Config{Issue: mode, Budget: 20_000, Precision: 0.05})
		if err != nil {
			t.Fatalf("%s: %v", device, err)
		}
		if _, err := cause.Of(r, d); err != nil {
			t.Errorf("%s, %v: %v", device, mode, err)
		}
		t.Logf("%s, %v: exact, %v", device, mode, time.Since(start))
	}
}
