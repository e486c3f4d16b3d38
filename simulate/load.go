package simulate

import (
	"math"
	"math/big"
	"math/bits"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

// Loaded latency of device memory
//
// Where the device has the constants of V16 T.6.5, an access of device memory
// takes, beyond its Λ, what it waits at a throughput T,
//
//	w = b · T/(c - T)
//
// with Contention.Queueing for b and Contention.Capacity for c, where the access is
// one of device memory in full; of what caches serve only the rest waits
// (latencies.Served). T is what the accesses in flight at its issue, itself included,
// come to if they stay as many: by Little's law their bytes are T·(Λ + w). With
// s the time in which the capacity moves these bytes, the two are
//
//	w·(w + Λ - s) = s·b
//
// whose root is the waiting time. So the latency follows the number of accesses in
// flight, and under a steady load it is V16's; to average the throughput over some
// time instead would let it swing, because what an access waits shows in the
// throughput only when it is over.
//
// The unit stands for all, so c is shared out among the compute units that have a group. Everything is computed in
// integers (bytes, ticks), rounded down, so that it is the same in every engine.

// maxQueue bounds the waiting time to so many times b, and thereby the longest time
// between an issue and its end.
const maxQueue = 64

// perByte is the unit in which bytes are counted against the capacity, so that it
// is not rounded noticeably.
const perByte = 1024

// capacitySpan is the latencies (the longest of the accesses) in which the capacity
// is counted, so that it is not rounded noticeably.
const capacitySpan = 8

// loadModel is the parameters of the loaded latency; the zero value is none.
type loadModel struct {
	span     Tick
	capacity int64 // bytes × perByte per span; 0 = latency does not depend on the load
	queueing Tick  // b
	spread
}

// most is the most that load adds to a latency.
func (l *loadModel) most() Tick { return l.queueing*maxQueue + l.spread.most() }

// queueing is b of a device, 0 if its latencies do not depend on the load.
func queueing(d *latencies.Device, cfg Config) latencies.Cycles {
	if c := d.Memory.Contention; c != nil && !cfg.NoContention && !c.Capacity.IsZero() && d.ClockHz > 0 {
		return c.Queueing
	}
	return latencies.Cycles{}
}

// setLoad sets what the i-th class of a graph moves to or from device memory:
// whole transactions; 4 bytes a lane where their number is not known. What caches
// serve of it does not meet the load.
func (c *class) setLoad(b timebase, g *idg.Graph, i int, e *latencies.Entry, d *latencies.Device,
	queueing latencies.Cycles) error {
	var err error
	if c.queueing, err = b.ticks(queueing); err != nil {
		return err
	}
	c.bytes = requestedBytes(g, i, e, d)
	if total := e.Served.Total(); total > 0 && c.bytes > 0 {
		c.bytes = int64(float64(c.bytes) * (e.Served.Memory + e.Served.WrittenBack + e.Served.Filled) / total)
		c.queueing = Tick(float64(c.queueing) * e.Served.Memory / total)
	}
	return nil
}

// requestedBytes is what the i-th class of a graph asks of caches and device
// memory.
func requestedBytes(g *idg.Graph, i int, e *latencies.Entry, d *latencies.Device) int64 {
	in := &g.Instrs()[i]
	op := in.Operation()
	if !op.Memory() {
		return 0
	}
	lanes, width := max(int64(in.Lanes), 1), int64(4)
	if a := g.Access(in.Access); a != nil {
		if a.Space == idg.SpaceLocal || a.Space == idg.SpaceConstant {
			return 0
		}
		width = int64(a.Width)
	} else if !op.DeviceMemory() {
		return 0
	}
	if e.Transactions > 0 && d.Memory.SegmentBytes > 0 {
		return int64(e.Transactions) * int64(d.Memory.SegmentBytes)
	}
	return lanes * width
}

// newLoadModel finds what the unit's share of the memory can move; units are those
// that share it.
func newLoadModel(b timebase, classes []class, queueing latencies.Cycles, d *latencies.Device,
	units latencies.UnitsAtWork) (loadModel, error) {
	var l loadModel
	latency := Tick(0)
	for i := range classes {
		if c := &classes[i]; c.bytes > 0 {
			latency = max(latency, c.latency)
		}
	}
	if queueing.IsZero() || latency == 0 {
		return l, nil
	}
	var err error
	if l.queueing, err = b.ticks(queueing); err != nil {
		return l, err
	}
	if l.queueing > maxSpan/(2*maxQueue) || latency > maxSpan/(2*capacitySpan) {
		return l, diag.Errorf(diag.Pos{}, "TIME",
			"the loaded latency of device memory, up to %d times %v cycles more, is too long", maxQueue, queueing)
	}
	l.span = capacitySpan * latency
	l.rows = newSpread(b, d.Memory.Contention)
	// c·10^9 bytes/s · span/(perCycle·clock) s / compute units
	share := big.NewRat(1, int64(max(d.ComputeUnits, 1)))
	if units.Groups > 0 {
		share = big.NewRat(units.PerUnit, units.Groups)
	}
	c := d.Memory.Contention.Capacity
	capacity := new(big.Rat).SetFrac64(c.Num(), c.Den())
	for _, f := range []*big.Rat{
		big.NewRat(1_000_000_000*perByte, d.ClockHz), big.NewRat(int64(l.span), b.perCycle), share,
	} {
		capacity.Mul(capacity, f)
	}
	whole := new(big.Int).Quo(capacity.Num(), capacity.Denom())
	if !whole.IsInt64() || whole.Int64() > math.MaxInt64/2 {
		return l, diag.Errorf(diag.Pos{}, "TIME",
			"the capacity of device memory, %v GB/s, cannot be counted in bytes within %v cycles", c, b.cycles(l.span))
	}
	l.capacity = max(whole.Int64(), 1)
	return l, nil
}

// load is the load of device memory while a unit runs.
type load struct {
	loadModel
	ring     []access // length a power of two
	head     uint32
	count    uint32
	inFlight int64 // bytes × perByte
	loadUse
}

// loadUse is what is reported of the accesses.
type loadUse struct {
	accesses int64
	latency  span // Σ
	longest  Tick
}

// access is one of those in flight.
type access struct {
	ends  Tick
	bytes int64
}

func newLoad(m loadModel) load { return load{loadModel: m, ring: make([]access, 64)} }

// issue notes an access of a class, issued now, and returns its latency from its turn
// on. What waits in a queue counts as in flight.
func (l *load) issue(now, turn Tick, c *class) Tick {
	l.retire(now)
	if int(l.count) == len(l.ring) {
		l.grow()
	}
	l.inFlight += c.bytes * perByte
	wait := l.wait(c)
	latency := c.latency + wait
	if len(l.rows) > 0 && c.queueing > 0 {
		latency = max(latency+l.offset(wait, float64(c.queueing)/float64(l.queueing)), 0)
	}
	l.add(access{turn + latency, c.bytes})
	l.accesses++
	l.loadUse.latency.add(latency)
	l.loadUse.longest = max(l.loadUse.longest, latency)
	return latency
}

// add puts an access among those in flight, which are in the order in which they end.
func (l *load) add(a access) {
	last := uint32(len(l.ring) - 1)
	k := l.head + l.count
	for ; k != l.head && l.ring[(k-1)&last].ends > a.ends; k-- {
		l.ring[k&last] = l.ring[(k-1)&last]
	}
	l.ring[k&last] = a
	l.count++
}

// wait is the largest w with w·(w + Λ - s) ≤ s·b, at most maxQueue·b.
func (l *load) wait(c *class) Tick {
	longest := maxQueue * c.queueing
	hi, lo := bits.Mul64(uint64(l.inFlight), uint64(l.span))
	if hi >= uint64(l.capacity) {
		return longest
	}
	q, _ := bits.Div64(hi, lo, uint64(l.capacity))
	s := Tick(min(q, uint64(maxSpan)))
	beyond := s - c.latency
	boundHi, boundLo := bits.Mul64(uint64(s), uint64(c.queueing))
	holds := func(w Tick) bool {
		if w <= 0 || w <= beyond {
			return true
		}
		hi, lo := bits.Mul64(uint64(w), uint64(w-beyond))
		return hi < boundHi || hi == boundHi && lo <= boundLo
	}
	if holds(longest) {
		return longest
	}
	// A guess in floating point, and from there to the exact answer.
	half := float64(beyond) / 2
	w := Tick(half + math.Sqrt(half*half+float64(s)*float64(c.queueing)))
	for w = min(max(w, beyond, 0), longest); !holds(w); w-- {
	}
	for holds(w + 1) {
		w++
	}
	return w
}

// retire forgets what has ended.
func (l *load) retire(now Tick) {
	for l.count > 0 {
		a := &l.ring[l.head&uint32(len(l.ring)-1)]
		if a.ends > now {
			return
		}
		l.inFlight -= a.bytes * perByte
		l.head++
		l.count--
	}
}

func (l *load) grow() {
	ring := make([]access, 2*len(l.ring))
	for k := range l.count {
		ring[k] = l.ring[(l.head+k)&uint32(len(l.ring)-1)]
	}
	l.ring, l.head = ring, 0
}

// visit shows the state of the load.
func (l *load) visit(w *stateWalk, now Tick) {
	if l.capacity == 0 {
		return
	}
	l.retire(now)
	w.word(int64(l.next))
	w.word(int64(l.count))
	for k := range l.count {
		if !w.same {
			return
		}
		a := &l.ring[(l.head+k)&uint32(len(l.ring)-1)]
		w.word(int64(a.ends - now))
		w.word(a.bytes)
	}
}

func (l *load) shift(t Tick) {
	for k := range l.count {
		l.ring[(l.head+k)&uint32(len(l.ring)-1)].ends += t
	}
}
