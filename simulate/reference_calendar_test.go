package simulate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gpupipe/idg"
)

// TestCalendarOrder compares the calendar with a sorted list: events come by
// time, then queue, then age.
func TestCalendarOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	delays := []Tick{7, 3, 3, 100, 1}
	var c calendar
	var ids []queueID
	for i, d := range delays {
		ids = append(ids, c.queue(queueKey{eventKind(1 + i%2), d, 0}))
	}
	if again := c.queue(queueKey{eventKind(1), delays[0], 0}); again != ids[0] || len(c.keys) != 5 {
		t.Fatalf("queue found %d of %d instead of %d of 5", again, len(c.keys), ids[0])
	}
	type expected struct {
		event
		queue queueID
	}
	var want []expected
	var now Tick
	seq := idg.NodeID(0)
	for step := 0; step < 5000; step++ {
		for range r.IntN(4) {
			q := ids[r.IntN(len(ids))]
			c.push(q, now, 0, seq)
			want = append(want, expected{event{now + c.keys[q].delay, q, int64(seq), 0, seq}, q})
			seq++
		}
		slices.SortStableFunc(want, func(a, b expected) int {
			if a.at != b.at {
				return int(a.at - b.at)
			}
			return int(a.queue) - int(b.queue)
		})
		for range r.IntN(4) {
			if len(want) == 0 {
				if c.next() != never {
					t.Fatal("an empty calendar has a next event")
				}
				break
			}
			if c.next() != want[0].at {
				t.Fatalf("next is %d, want %d", c.next(), want[0].at)
			}
			kind, e := c.pop()
			if e != want[0].event || kind != c.keys[want[0].event.queue].kind {
				t.Fatalf("popped %v of kind %d, want %v", e, kind, want[0])
			}
			now = e.at
			want = want[1:]
		}
	}
	if seq < 5000 {
		t.Fatalf("only %d events were made", seq)
	}
}
