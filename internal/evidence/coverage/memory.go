package main

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"gpupipe/internal/test/cputime"
)

// heapPeak is the largest size of the heap in bytes, garbage that has not been
// collected included, since it was last reset.
type heapPeak struct{ bytes atomic.Uint64 }

// sample notes the size of the heap and returns it.
func (p *heapPeak) sample() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	now := s[0].Value.Uint64()
	for {
		old := p.bytes.Load()
		if now <= old || p.bytes.CompareAndSwap(old, now) {
			return now
		}
	}
}

// take returns the peak and starts anew.
func (p *heapPeak) take() int64 {
	p.sample()
	return int64(p.bytes.Swap(0))
}

// samplePeriod is how often the heap is looked at.
const samplePeriod = 20 * time.Millisecond

// watch ends the process when the heap outgrows a limit in bytes, or a kernel takes more processor time than allowed,
// which a busy machine does not add to.
func (p *heapPeak) watch(limit uint64, timeout time.Duration, began *atomic.Int64) {
	debug.SetMemoryLimit(int64(limit))
	for {
		time.Sleep(samplePeriod)
		if p.sample() > limit {
			os.Exit(exitMemory)
		}
		if cputime.Used()-time.Duration(began.Load()) > timeout {
			os.Exit(exitTime)
		}
	}
}
