package main

import (
	"fmt"
	"math"
	"strconv"

	"gpupipe/cmd/internal/console"
	"gpupipe/cmd/internal/gpu"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"

	"github.com/spf13/pflag"
)

// deviceOptions are the flags on the device and its parameters.
type deviceOptions struct {
	gpu    string // empty = that of the graph
	clock  clock
	rules  []latencies.Rule
	strict bool // assumptions are errors

	found *target // of gpu, once it has been looked up
}

// defineGPU adds --gpu.
func (o *deviceOptions) defineGPU(f *pflag.FlagSet) {
	f.Var(&console.Parsed[string]{Into: &o.gpu, Parse: gpu.ParseName, Kind: "NAME", Values: latencies.Names()}, "gpu",
		"predict for the device NAME (pipesim gpus lists them) or a device file (.yaml) "+
			"(default: the GPU that idgen built the graph for)")
	f.Var(&console.Parsed[clock]{Into: &o.clock, Parse: parseClock, Kind: "MHZ", Values: []string{"base"}}, "clock",
		"let the compute units run at MHZ, or at their base clock; device memory stays as fast as it is "+
			"(default: the clock of the device file, mostly the boost clock)")
}

// clock is what --clock says.
type clock struct {
	hz   int64 // 0 = that of the device file
	base bool  // the device's base clock
}

func parseClock(text string) (clock, error) {
	if text == "base" {
		return clock{base: true}, nil
	}
	mhz, err := strconv.ParseFloat(text, 64)
	if err != nil || !(mhz > 0 && mhz < 1e6) {
		return clock{}, fmt.Errorf("%q is not a clock in MHz; base is the base clock of the device", text)
	}
	return clock{hz: int64(math.Round(mhz * 1e6))}, nil
}

// of is a device at the clock.
func (c clock) of(d *latencies.Device) (*latencies.Device, error) {
	switch {
	case c.base && d.BaseClockHz == 0:
		return nil, fmt.Errorf("the base clock of %s is not known; --clock MHZ gives a clock", d.Title)
	case c.base:
		return d.AtClock(d.BaseClockHz)
	case c.hz > 0:
		return d.AtClock(c.hz)
	}
	return d, nil
}

// subject is a graph and the device that a prediction is for.
type subject struct {
	graph *idg.Graph
	*target
}

// target is the device that a prediction is for.
type target struct {
	device   *latencies.Device
	mapper   *latencies.Mapper
	warnings diag.List // on the device, which the prediction repeats
}

// read reads the one graph of an input and finds the device.
func (o *deviceOptions) read(c *console.Console, input string) (subject, error) {
	list, err := o.readAll(c, input)
	if err != nil {
		return subject{}, err
	}
	if len(list) > 1 {
		return subject{}, diag.Errorf(diag.Pos{File: shownName(input)}, diag.CodeFile,
			"there are %d graphs; one is needed", len(list)).
			WithNote("idgen -k NAME writes that of one kernel")
	}
	return list[0], nil
}

// readAll reads the graphs of an input and finds their devices. What is cheap to check comes first: an
// unknown device is said at once, not when the graphs have arrived.
func (o *deviceOptions) readAll(c *console.Console, input string) ([]subject, error) {
	if o.gpu != "" {
		if _, err := o.named(); err != nil {
			return nil, err
		}
	}
	graphs, err := readGraphs(c, input)
	if err != nil {
		return nil, err
	}
	return o.subjects(graphs)
}

// subjects finds the devices of graphs.
func (o *deviceOptions) subjects(graphs []*idg.Graph) (list []subject, err error) {
	for _, g := range graphs {
		s := subject{graph: g}
		if o.gpu != "" {
			s.target, err = o.named()
		} else {
			s.target, err = o.ofGraph(g)
		}
		if err == nil && o.strict {
			err = s.assumed()
		}
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// named is the device of --gpu, which is read once.
func (o *deviceOptions) named() (*target, error) {
	if o.found != nil {
		return o.found, nil
	}
	d, err := gpu.Find(o.gpu)
	if err != nil {
		return nil, err
	}
	o.found, err = o.target(d, gpu.Warnings(o.gpu, d))
	return o.found, err
}

// ofGraph is the device that a graph is made for.
func (o *deviceOptions) ofGraph(g *idg.Graph) (*target, error) {
	d, warnings, err := gpu.OfGraph(g.GPU)
	if err != nil {
		return nil, err
	}
	return o.target(d, warnings)
}

func (o *deviceOptions) target(d *latencies.Device, warnings diag.List) (*target, error) {
	d, err := o.clock.of(d)
	if err != nil {
		return nil, err
	}
	m, err := latencies.NewMapper(d, o.rules)
	return &target{d, m, warnings}, err
}
