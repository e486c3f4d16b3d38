package simulate

import (
	"gpupipe/idg"
	"gpupipe/latencies"
)

// Capacity is the occupancy that Run would simulate a launch with, found without
// simulating it: Config.Concurrent may be anything from 1 to its Groups without
// exceeding the device's resources. A launch of which not even one group fits is
// an error.
func Capacity(g *idg.Graph, d *latencies.Device, cfg Config) (Occupancy, error) {
	if err := cfg.Validate(); err != nil {
		return Occupancy{}, err
	}
	n := cfg.Groups
	if n == 0 {
		var err error
		if n, err = groupsPerUnit(&g.Launch, d); err != nil {
			return Occupancy{}, err
		}
	}
	return fit(g, d, cfg, n)
}
