package latencies

import (
	"fmt"
	"slices"
)

// AtClock is the device with its compute units at another clock. Device memory has its own: it moves as
// many bytes in a second as before, so that its λ take more or fewer cycles. All else is taken to follow the clock
// of the compute units, also caches and the latency of device memory.
func (d *Device) AtClock(hz int64) (*Device, error) {
	if hz == d.ClockHz {
		return d, nil
	}
	if hz < minClockHz || hz > maxClockHz || d.ClockHz == 0 {
		return nil, fmt.Errorf("a clock of %g MHz is not between %d and %d MHz", float64(hz)/1e6,
			int64(minClockHz/1e6), int64(maxClockHz/1e6))
	}
	c, x := *d, exact{}
	c.Instructions = slices.Clone(d.Instructions)
	ratio := permille(float64(hz), float64(d.ClockHz))
	for i := range c.Instructions {
		in := &c.Instructions[i]
		if in.Subsystem == d.memorySubsystem() && !in.Timing.CPI.IsZero() {
			in.Timing.CPI = hundredths(x.mul(ratio, in.Timing.CPI))
		}
	}
	c.Memory.RandomAccess = x.mul(ratio, c.Memory.RandomAccess)
	c.ClockHz = hz
	return &c, x.err
}

// ClockName is " (base clock)" if it is that: a device file's is else the boost clock, or what its note says.
func (d *Device) ClockName() string {
	if d.ClockHz == d.BaseClockHz {
		return " (base clock)"
	}
	return ""
}

// Clocks of compute units lie between these.
const (
	minClockHz = 100e6
	maxClockHz = 10e9
)

// memorySubsystem is that of loads of device memory.
func (d *Device) memorySubsystem() SubsystemID {
	i := slices.IndexFunc(d.Instructions, func(in Instruction) bool { return in.Match == "ld.global" })
	if i < 0 {
		return 0
	}
	return d.Instructions[i].Subsystem
}

// hundredths rounds to 1/100 cycle, as device files do, so that denominators stay small.
func hundredths(c Cycles) Cycles { return lowest(int64(100*c.Float()+0.5), 100) }
