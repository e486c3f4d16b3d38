// Package factor predicts what a kernel takes with each unroll factor of one of its loops: each version is compiled and
// simulated, with its code and its registers.
//
// It consumes a prepared kernel and a device's mapper and produces a Sweep. Versions of the same code are simulated
// once.
//
// Invariant: same input, same sweep; the first version is the kernel as it is written.
package factor

import (
	"context"
	"fmt"
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
	"gpupipe/latencies"
	"gpupipe/lower"
	"gpupipe/lower/machine"
	"gpupipe/simulate"
	"gpupipe/unroll"
)

// Usual are the factors to try, as far as a loop has as many iterations; then all iterations.
var Usual = []int64{1, 2, 4, 8, 16}

// OnlyPragma tries none: the loop as it is, and without its pragma.
var OnlyPragma []int64

// mostCopies is the most iterations of a loop that is tried without a loop: what compilers unroll.
const mostCopies = 128

// Version is a kernel with one factor.
type Version struct {
	Name      string  `json:"name"`            // "as written", "no pragma", "full" or the factor
	Asked     int64   `json:"asked,omitempty"` // factor; 0: the compiler's
	Factor    int64   `json:"factor"`          // that the code has
	Full      bool    `json:"fully_unrolled"`
	Seconds   float64 `json:"seconds,omitempty"`
	Code      int     `json:"code"` // instructions of the kernel
	Registers int     `json:"registers,omitempty"`
	Spilled   int64   `json:"spilled_bytes"`
	Best      bool    `json:"best"`
	Error     string  `json:"error,omitempty"`

	text string // of the code
}

// Sweep is a loop with each factor.
type Sweep struct {
	File     string    `json:"file"`
	Line     int       `json:"line"`
	Column   int       `json:"column"`
	Pragma   string    `json:"pragma,omitempty"`
	Device   string    `json:"device"`
	Versions []Version `json:"versions"`
	Says     string    `json:"says"` // the outcome, in a sentence
}

// Of compiles and simulates the versions of a loop of a kernel.
func Of(ctx context.Context, k *generate.Kernel, l *lower.Loop, factors []int64, mapper *latencies.Mapper,
	d *latencies.Device) (*Sweep, error) {
	at := unroll.Location{File: l.Pos.File, Line: l.Pos.Line, Column: l.Pos.Column}
	s := &Sweep{File: l.Pos.File, Line: l.Pos.Line, Column: l.Pos.Column, Device: d.Title}
	add := func(name string, asked int64, other *generate.Kernel) (*idg.Loop, error) {
		v := Version{Name: name, Asked: asked}
		loop, err := v.predict(ctx, other, l, mapper, s.Versions)
		if err != nil {
			if len(s.Versions) == 0 || ctx.Err() != nil {
				return nil, err
			}
			v.Error, _, _ = strings.Cut(err.Error(), "\n")
		}
		s.Versions = append(s.Versions, v)
		return loop, nil
	}
	loop, err := add("as written", 0, k)
	if err != nil {
		return nil, err
	}
	if l.Pragma != nil {
		s.Pragma = loop.Pragma
		if _, err := add("no pragma", 0, k.WithoutPragma(at)); err != nil {
			return nil, err
		}
	}
	trips := int64(0) // that the compiler knows
	if loop.Origin == "constant" {
		trips = loop.Trips
	}
	for _, n := range factors {
		if trips > 0 && n >= trips {
			break
		}
		if _, err := add(fmt.Sprint(n), n, k.Unrolled(at, n)); err != nil {
			return nil, err
		}
	}
	if factors != nil && trips > 1 && trips <= mostCopies {
		if _, err := add("full", trips, k.Unrolled(at, trips)); err != nil {
			return nil, err
		}
	}
	s.conclude(factors != nil)
	return s, nil
}

// predict compiles and simulates a version, unless an earlier one has the same code.
func (v *Version) predict(ctx context.Context, k *generate.Kernel, l *lower.Loop, mapper *latencies.Mapper,
	earlier []Version) (*idg.Loop, error) {
	c, err := k.Code()
	if err != nil {
		return nil, err
	}
	v.text, v.Code = c.String(), c.Instructions()
	for _, e := range earlier {
		if e.text == v.text && e.Error == "" {
			v.Factor, v.Full, v.Seconds, v.Registers, v.Spilled = e.Factor, e.Full, e.Seconds, e.Registers, e.Spilled
			return &idg.Loop{}, nil
		}
	}
	return v.simulate(ctx, k, c, l, mapper)
}

func (v *Version) simulate(ctx context.Context, k *generate.Kernel, c *machine.Code, l *lower.Loop,
	mapper *latencies.Mapper) (*idg.Loop, error) {
	g, _, err := k.Resolve()
	if err != nil {
		return nil, err
	}
	m, err := mapper.MapWith(g, latencies.Options{})
	if err != nil {
		return nil, err
	}
	r, err := simulate.Run(ctx, g, m, simulate.Config{})
	if err != nil {
		return nil, err
	}
	if err := r.Verify(); err != nil {
		return nil, diag.AsDefect(err)
	}
	loop := &g.Loops[l.ID-1]
	v.Factor, v.Full, v.Seconds = loop.Factor, loop.Full, r.Seconds
	v.Registers, v.Spilled = c.Resources.Registers, int64(c.Resources.SpillBytes)
	return loop, nil
}

// near is the part of a time within which two versions take as long.
const near = 0.01

// conclude marks the best version and says what the pragma, or another factor, would change.
func (s *Sweep) conclude(tried bool) {
	best := -1
	for i, v := range s.Versions {
		if v.Error == "" && (best < 0 || v.Seconds < s.Versions[best].Seconds*(1-near/10)) {
			best = i
		}
	}
	s.Versions[best].Best = true
	own, top := &s.Versions[0], &s.Versions[best]
	var says []string
	if len(s.Versions) > 1 && s.Versions[1].Name == "no pragma" && s.Versions[1].Error == "" {
		switch plain := &s.Versions[1]; {
		case plain.text == own.text:
			says = append(says, "the pragma changes nothing: the code is the same without it")
		case plain.Seconds < own.Seconds*(1-near):
			says = append(says, fmt.Sprintf("the pragma costs %.0f%%", 100*(own.Seconds/plain.Seconds-1)))
		case plain.Seconds <= own.Seconds*(1+near):
			says = append(says, "the pragma changes the code, and the time by less than 1%")
		default:
			says = append(says, fmt.Sprintf("the pragma saves %.0f%%", 100*(1-own.Seconds/plain.Seconds)))
		}
	}
	if !tried {
		s.Says = strings.Join(says, "; ")
		return
	}
	if top.Seconds < own.Seconds*(1-near) {
		says = append(says, fmt.Sprintf("%s would save %.0f%%", top.Advice(), 100*(1-top.Seconds/own.Seconds)))
	} else {
		says = append(says, "no factor saves 1% or more")
	}
	s.Says = strings.Join(says, "; ")
}

// Advice is the pragma of a version.
func (v *Version) Advice() string {
	switch {
	case v.Name == "no pragma":
		return "no pragma"
	case v.Name == "full":
		return "#pragma unroll"
	}
	return fmt.Sprintf("#pragma unroll %d", v.Asked)
}
