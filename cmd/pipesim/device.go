package main

import (
	"gpupipe/cmd/internal/console"
	"gpupipe/cmd/internal/gpu"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"

	"github.com/spf13/pflag"
)

// deviceOptions are the flags on the device and its parameters.
type deviceOptions struct {
	gpu   string // empty = that of the graph
	rules []latencies.Rule
}

// defineGPU adds --gpu.
func (o *deviceOptions) defineGPU(f *pflag.FlagSet) {
	f.Var(&console.Parsed[string]{Into: &o.gpu, Parse: gpu.ParseName, Kind: "NAME", Values: latencies.Names()}, "gpu",
		"predict for the device NAME (pipesim gpus lists them) or a device file (.yaml) "+
			"(default: the GPU that idgen built the graph for, else "+latencies.Default+")")
}

// read reads the graph and finds the device. What is cheap to check comes first: an
// unknown device is said at once, not when the graph has arrived.
func (o *deviceOptions) read(c *console.Console, input string) (g *idg.Graph, t target, err error) {
	if o.gpu != "" {
		if t.device, err = gpu.Find(o.gpu); err != nil {
			return nil, t, err
		}
		t.warnings = gpu.Warnings(o.gpu, t.device)
		if t.mapper, err = latencies.NewMapper(t.device, o.rules); err != nil {
			return nil, t, err
		}
	}
	if g, err = readGraph(c, input); err != nil || o.gpu != "" {
		return g, t, err
	}
	if t.device, t.warnings, err = gpu.OfGraph(g.GPU); err != nil {
		return nil, t, err
	}
	t.mapper, err = latencies.NewMapper(t.device, o.rules)
	return g, t, err
}

// target is the device that a prediction is for.
type target struct {
	device   *latencies.Device
	mapper   *latencies.Mapper
	warnings diag.List // on the device, which the prediction repeats
}
