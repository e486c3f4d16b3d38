package simulate

import "gpupipe/latencies"

// Spread of single latencies
//
// Where the device has the percentiles of V16 T.6.6, the accesses under a load do not all take the mean latency of
// load.go but, in turn, each of draws equally likely ones, in an order in which neighbours are far apart. Between the
// percentiles, and beyond the outer ones, the distribution is taken as linear; between the throughputs of two rows too.
// The mean stays that of T.6.5. draws is a prime, so that as many warps as a power of two each meet all latencies.
const draws, drawStep = 31, 12

// spread is the table of a device.
type spread struct {
	rows []spreadRow
	next int // of the next access, 0 to draws - 1
}

// spreadRow is how far the latencies are from their mean where an access waits so long.
type spreadRow struct {
	wait    Tick
	offsets [draws]Tick
}

func newSpread(b timebase, c *latencies.Contention) []spreadRow {
	var rows []spreadRow
	perCycle := float64(b.perCycle)
	for i := range c.Spread {
		s := &c.Spread[i]
		t := s.Throughput.Float()
		row := spreadRow{wait: Tick(perCycle * c.Queueing.Float() * t / (c.Capacity.Float() - t))}
		var values [draws]float64
		mean := 0.0
		for k := range values {
			values[k] = quantile(s, 100*(float64(k)+0.5)/draws)
			mean += values[k] / draws
		}
		for k, v := range values {
			row.offsets[k] = Tick(perCycle * (v - mean))
		}
		rows = append(rows, row)
	}
	return rows
}

// quantile is the latency that so many percent of the accesses do not exceed, in cycles.
func quantile(s *latencies.Spread, percent float64) float64 {
	p := latencies.SpreadPercents
	k := 0
	for k < len(p)-2 && percent > float64(p[k+1]) {
		k++
	}
	low, high := s.Percentiles[k].Float(), s.Percentiles[k+1].Float()
	return low + (high-low)*(percent-float64(p[k]))/float64(p[k+1]-p[k])
}

// most is the most that the spread adds to a latency.
func (s *spread) most() Tick {
	most := Tick(0)
	for i := range s.rows {
		most = max(most, s.rows[i].offsets[draws-1])
	}
	return most
}

// offset is what the next access takes beyond the mean, of which it waits so long. Of an access that caches serve in
// part, share is the rest.
func (s *spread) offset(wait Tick, share float64) Tick {
	k := s.next
	s.next = (k + drawStep) % draws
	w := float64(wait) / share
	above := 0
	for above < len(s.rows) && float64(s.rows[above].wait) < w {
		above++
	}
	if above == 0 || above == len(s.rows) {
		return Tick(share * float64(s.rows[max(above-1, 0)].offsets[k]))
	}
	low, high := &s.rows[above-1], &s.rows[above]
	part := (w - float64(low.wait)) / float64(high.wait-low.wait)
	// Converted, so that no platform fuses the product with the sum.
	between := float64(low.offsets[k]) + float64(part*float64(high.offsets[k]-low.offsets[k]))
	return Tick(share * between)
}
