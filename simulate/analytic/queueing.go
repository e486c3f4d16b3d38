package analytic

import "fmt"

// Queue is GPUMech's queue of the memory when n warps are resident: M/D/1 with
// customers that take s = f·128/BW cycles each (V16 7.7),
//
//	ρ = n·units·transactions·s / Λ_mem,  delay = s·ρ / (2·(1 - ρ)).
//
// It takes every resident warp to have an access in the memory at all times, so
// that ρ reaches 1 well below full occupancy. From there on the delay is
// negative, which the paper does not exclude; the models here refuse.
func (in *Input) Queue(n float64) (ρ, delay float64) {
	m := &in.Memory
	ρ = n * m.Units * m.Transactions * m.Service / in.Mem.Latency()
	return ρ, m.Service * ρ / (2 * (1 - ρ))
}

// queueing is the delay of an access, or why there is none.
func (in *Input) queueing(n float64) (cycles float64, invalidReason string) {
	if in.Mem.Count == 0 {
		return 0, ""
	}
	if m := &in.Memory; !positive(m.Service, m.Units, m.Transactions) {
		return 0, "the bandwidth of device memory is not known"
	}
	ρ, delay := in.Queue(n)
	if ρ >= 1 {
		return 0, fmt.Sprintf("the model's memory queue has ρ = %.3g, and a queue is stable below 1 only", ρ)
	}
	return delay, ""
}
