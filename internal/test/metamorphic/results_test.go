package metamorphic

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/generate"
	"gpupipe/internal/report"
	"gpupipe/internal/target"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

const resultsFile = "testdata/results.txt"

// TestResults: every kernel, on one device after the other, gives what testdata/results.txt has of each stage. It shows
// what a change of the compiler, the resolver, parameters of a device or the simulator moves, meant or not. Digests
// stand for what is too long to list.
func TestResults(t *testing.T) {
	all := slices.Concat(builtins(t), suitePrograms(t), choices(t))
	lines := make([]string, len(all))
	t.Run("kernels", func(t *testing.T) {
		for i, p := range all {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				line, err := resultOf(p, i)
				if err != nil {
					line = fmt.Sprintf("%s: %s", p.name, strings.Join(strings.Fields(err.Error()), " "))
				}
				lines[i] = line
			})
		}
	})
	got := strings.Join(lines, "\n") + "\n"
	if *update {
		if err := os.WriteFile(resultsFile, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(resultsFile)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(string(text), "\n")
	for i, line := range lines {
		if i >= len(want) || want[i] != line {
			t.Errorf("got  %s\nwant %s", line, strings.Join(want[i:min(i+1, len(want))], ""))
		}
	}
}

// resultOf is what the stages make of the i-th program, on a device and in an issue mode of its own.
func resultOf(p *program, i int) (string, error) {
	ctx, names := context.Background(), latencies.Names()
	d, err := latencies.Builtin(names[i%len(names)])
	if err != nil {
		return "", err
	}
	k, err := p.prepare(func(o *generate.Options) {
		o.Device, o.Target, o.Warps = d, target.Target{GPU: d.Name, Level: target.O2}, generate.Warps{}
	})
	if err != nil {
		return "", err
	}
	c, err := k.program.Compile(k.fn)
	if err != nil {
		return "", err
	}
	g, _, err := k.Resolve()
	if err != nil {
		return "", err
	}
	var graph, document bytes.Buffer
	if err := idg.Encode(&graph, g); err != nil {
		return "", err
	}
	m, err := latencies.NewMapper(d, nil)
	if err != nil {
		return "", err
	}
	cfg := simulate.Config{Issue: []simulate.IssueMode{0, simulate.Dataflow, simulate.InOrder, simulate.Blocks}[i%4]}
	r, err := report.Predict(ctx, g, report.Options{Mapper: m, Config: cfg, Warm: i%3 == 1, Findings: i%2 == 0})
	if err != nil {
		return "", err
	}
	err = report.Write(&document, report.JSON, []*report.Prediction{r}, &report.View{Explain: true})
	return fmt.Sprintf("%s %s: %d registers, code %s; %d instructions, graph %s; %v cycles, report %s", p.name, d.Name,
		c.Resources.Registers, digest(c.String()), len(g.Instrs()), digest(graph.String()), r.Result.Cycles,
		digest(document.String())), err
}

func digest(text string) string {
	h := fnv.New32a()
	h.Write([]byte(text))
	return fmt.Sprintf("%08x", h.Sum32())
}
