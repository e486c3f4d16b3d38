package main

import (
	"bytes"
	"strings"
	"testing"
)

// experiments are 14 kernels in the sizes that give most occupancies, with
// launches of many waves.
var experiments = [][]string{
	{"mmul-08"}, {"mmul-16"}, {"nbody", "--local", "64"},
	{"vadd", "--local", "64"}, {"permute", "--local", "64"}, {"vabs", "--local", "64"},
	{"transpose-naive", "--local", "64"}, {"transpose-tiled"},
	{"reduction", "--local", "64"}, {"stencil", "--local", "64"}, {"convolution", "--local", "64"},
	{"black-scholes", "--local", "64"}, {"mix", "--local", "64"}, {"barrier", "--local", "64"},
}

// experimentArgs makes the graphs of the experiments and returns the arguments of
// their sweep.
func experimentArgs(b *testing.B) []string {
	b.Helper()
	dir := b.TempDir()
	args := []string{"--gpu", "gtx480,gtx1060,rtx2070"}
	for _, e := range experiments {
		args = append(args, graphFile(b, dir, e[0]+".json", append([]string{"--builtin"}, e...)...))
	}
	return args
}

// BenchmarkExperiments sweeps all occupancies of 14 kernels on three GPUs, from
// their graphs to the rows.
func BenchmarkExperiments(b *testing.B) {
	args := append([]string{"sweep"}, experimentArgs(b)...)
	b.ReportAllocs()
	rows := 0
	for b.Loop() {
		var stdout, stderr bytes.Buffer
		if status := run(args, strings.NewReader(""), &stdout, &stderr); status != 0 {
			b.Fatalf("status %d: %s", status, &stderr)
		}
		rows += bytes.Count(stdout.Bytes(), []byte{'\n'}) - 1
	}
	b.ReportMetric(float64(rows)/float64(b.N), "configurations")
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "configurations/s")
}
