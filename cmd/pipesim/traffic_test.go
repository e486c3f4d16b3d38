package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"
	"gpupipe/latencies"
)

// Plain kernels on 2^22 elements move what anybody would count, whatever their alignment
// and however much of a sector or line a warp or a group touches; and those that stream do
// it at the bandwidth that the device is known to reach.
func TestPlainKernels(t *testing.T) {
	tools.Heavy(t)
	const n = 1 << 22
	for _, c := range []struct {
		kernel, launch string
		read, written  func(sector int64) int64 // bytes
		streams        bool
	}{
		{"copy", fmt.Sprintf("--local 256 --groups %d --arg n=%d --arg shift=0", n/256, n), of(4 * n), of(4 * n), true},
		{"copy", fmt.Sprintf("--local 256 --groups %d --arg n=%d --arg shift=1", n/256, n), of(4 * n), of(4 * n), true},
		{"copy", fmt.Sprintf("--local 256 --groups %d --arg n=%d --arg shift=8", n/256, n), of(4 * n), of(4 * n), true},
		{"copy_bytes", fmt.Sprintf("--local 256 --groups %d --arg n=%d", n/256, n), of(n), of(n), false},
		{"gather", fmt.Sprintf("--local 256 --groups %d --arg n=%d --arg stride=2", n/256, n), of(8 * n),
			of(4 * n), true},
		{"gather", "--local 256 --groups 128 --arg n=32768 --arg stride=32", func(sector int64) int64 {
			return sector * 32768
		}, of(4 * 32768), false},
		{"transpose", fmt.Sprintf("--local 16x16 --groups 128x128 --arg w=%d", 2048), of(4 * n), of(4 * n), false},
		{"rows", "--local 256 --groups 64 --arg m=16384 --arg n=256", of(4 * n), of(4 * 16384), false},
		{"sums", fmt.Sprintf("--local 256 --groups %d", n/256), of(4 * n), of(n / 64), false},
		{"stencil", "--local 32x8 --groups 64x256 --arg w=2048 --arg h=2048", of(4 * n), of(4 * n), false},
		{"add_each", fmt.Sprintf("--local 256 --groups %d --arg n=%d", n/256, n), of(4 * n), of(4 * n), true},
	} {
		for _, gpu := range []string{"a100", "gtx1080", "mi250x", "w7800"} {
			name := fmt.Sprintf("%s %s on %s", c.kernel, c.launch, gpu)
			args := append([]string{"testdata/plain.cu", "-k", c.kernel, "--gpu", gpu}, strings.Fields(c.launch)...)
			var d struct {
				Seconds       float64
				LaunchSeconds float64 `json:"launch_seconds"`
				Memory        struct {
					Traffic struct {
						Read    int64 `json:"read_bytes"`
						Written int64 `json:"written_bytes"`
					}
				} `json:"device_memory"`
			}
			if err := json.Unmarshal([]byte(pipesim(t, graphOf(t, args...), "--gpu", gpu, "--format", "json")),
				&d); err != nil {
				t.Fatal(err)
			}
			dev, err := latencies.Builtin(gpu)
			if err != nil {
				t.Fatal(err)
			}
			read, written := c.read(dev.SectorBytes()), c.written(dev.SectorBytes())
			// 1%: what the edges of a launch touch more or less.
			for what, x := range map[string][2]int64{"read": {d.Memory.Traffic.Read, read},
				"written": {d.Memory.Traffic.Written, written}} {
				if math.Abs(float64(x[0])/float64(x[1])-1) > 0.01 {
					t.Errorf("%s: %d bytes %s, want %d", name, x[0], what, x[1])
				}
			}
			if share := float64(read+written) / (d.Seconds - d.LaunchSeconds) / bandwidth(dev,
				float64(written)/float64(read+written)); share > 1.001 || c.streams && share < 0.93 {
				t.Errorf("%s: %.1f%% of the bandwidth", name, 100*share)
			}
		}
	}
}

func of(bytes int64) func(int64) int64 { return func(int64) int64 { return bytes } }

// bandwidth is what a device moves at most, by its entry for device memory and what it loses
// by writing a share of it, in bytes per second.
func bandwidth(d *latencies.Device, written float64) float64 {
	for i := range d.Instructions {
		if in := &d.Instructions[i]; in.Match == "ld.global" {
			reads := float64(4*d.WarpSize*d.ComputeUnits) * float64(d.ClockHz) / in.Timing.CPI.Float()
			return reads / (1 + 4*written*(1-written)*max(0, d.Memory.CopyCost.Float()-1))
		}
	}
	return 0
}
