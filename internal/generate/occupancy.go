package generate

import (
	"gpupipe/latencies"
	"gpupipe/lower/machine"
)

// Occupancy is what compiled code leaves of a device.
type Occupancy struct {
	Device        *latencies.Device
	Groups, Warps int64  // that a compute unit holds at once
	Limit         string // the resource that limits them; "" where nothing is known to
}

// Occupancies are those of the devices that code is for in groups as launched: the device that was asked for, then the
// built-in ones of the same target by name.
func (p *Program) Occupancies(c *machine.Code, l *Launch) (list []Occupancy) {
	asked := p.options.Device
	if asked != nil {
		list = append(list, occupancy(c, l, asked))
	}
	for _, name := range latencies.Names() {
		d, err := latencies.Builtin(name)
		if err != nil || d.Capability == "" || asked != nil && d.Name == asked.Name {
			continue
		}
		m, err := machineOf(d.Capability)
		if err == nil && m.Name == c.Target.Name && !standsIn(m, d.Capability) {
			list = append(list, occupancy(c, l, d))
		}
	}
	return list
}

func occupancy(c *machine.Code, l *Launch, d *latencies.Device) Occupancy {
	items, warp := l.Local[0]*l.Local[1]*l.Local[2], int64(max(d.WarpSize, 1))
	warps := (items + warp - 1) / warp
	held := d.Holds(latencies.Group{Items: items, Warps: warps, Registers: int64(c.Resources.Registers),
		LocalBytes: c.Resources.LocalBytes + l.dynamicLocal})
	return Occupancy{Device: d, Groups: held.Groups, Warps: held.Groups * warps, Limit: held.Resource}
}
