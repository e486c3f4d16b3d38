package latencies

import "gpupipe/idg"

// words is how many words the launch's executions of a class update, 0 where that is
// not known.
func (h *hierarchy) words(id idg.InstrID) float64 {
	if h == nil {
		return 0
	}
	return h.updated[id]
}

// updatedBytes are those among which the launch's executions of a class update words: of the lines that these are in,
// and of an access at addresses that are not known as many as it can reach. 0 = not known.
func (h *hierarchy) updatedBytes(id idg.InstrID, a *idg.Access) float64 {
	if !a.Known() {
		return float64(a.Within)
	}
	return h.words(id) * float64(a.Width) * max(1, h.sparse[id])
}

// updateSite is an atomic of the source: warps that update other words execute other classes of it.
type updateSite struct {
	pos    idg.Pos
	buffer string
}

// updates is what the classes of a site update in the launch.
type updates struct {
	classes  []idg.InstrID
	sectors  float64           // that they are the first of the group to touch
	shared   bool              // with other groups, or with other warps
	again    bool              // some sectors were touched before in the group
	several  bool              // some warp updates more than one word at once
	words    map[int64]bool    // places in a sector
	places   map[int64]float64 // updates by place in 256 bytes, to which offsets are normalised
	pairs    float64           // of lanes of a warp
	together float64           // of these, at one word
}

// countUpdated counts the words that each updating class updates in the launch. A class that is
// the first of its group to touch its sectors has them for itself. Where a site's sectors were
// touched before in the group by others, as those of a histogram, or a counter that is looked
// at before it is updated, all classes of the site update all words that these touch first; if they
// touch none first, any that the launch touches of that buffer.
func (h *hierarchy) countUpdated(g *idg.Graph) {
	buffers, own := map[string]float64{}, map[idg.InstrID]float64{}
	sites := map[updateSite]*updates{}
	var order []*updates
	more := h.beyondFirst(g)
	for _, t := range h.buffers {
		n := more * launchSectors(t, g)
		buffers[t.a.Buffer] += n
		if t.kind != updating {
			continue
		}
		at := updateSite{t.in.Pos, t.a.Buffer}
		u := sites[at]
		if u == nil {
			u = &updates{words: map[int64]bool{}, places: map[int64]float64{}}
			sites[at] = u
			order = append(order, u)
		}
		own[t.Instr] = n
		again := len(t.Warp)+len(t.Group) > 0
		u.classes, u.sectors, u.again = append(u.classes, t.Instr), u.sectors+n, u.again || again
		u.shared = u.shared || len(t.Group) > 0 || len(t.Groups) > 0
		u.add(t.a, h.sector)
	}
	for _, u := range order {
		for _, id := range u.classes {
			a := g.Access(g.Instr(id).Access)
			words := own[id] * float64(distinctAddresses(a.Offsets)) / float64(Transactions(a, int(h.sector)))
			if u.again {
				words = u.sectors
				if words == 0 {
					words = buffers[a.Buffer]
				}
				words *= float64(len(u.words))
			}
			h.updated[id] = u.uneven(words)
			if dense := words * float64(a.Width); dense > 0 && u.sectors > 0 {
				h.sparse[id] = max(1, u.sectors*float64(h.sector)*h.lines/dense)
			}
		}
	}
}

// beyondFirst is how many times as much a launch writes as the first touches of its classes tell, if it writes nothing
// but words of one buffer that it updates: groups that share with the one before begin anew in each row.
func (h *hierarchy) beyondFirst(g *idg.Graph) float64 {
	n, buffer := 0.0, ""
	for _, t := range h.buffers {
		switch {
		case t.kind == reading:
			continue
		case t.kind == writing, buffer != "" && buffer != t.a.Buffer:
			return 1
		}
		buffer, n = t.a.Buffer, n+launchSectors(t, g)
	}
	if n == 0 || g.Footprint == nil {
		return 1
	}
	return max(1, float64(g.Footprint.LaunchWrittenBytes/h.sector)/n)
}

// add counts the updates of an execution.
func (u *updates) add(a *idg.Access, sector int64) {
	at := map[int64]float64{}
	for _, o := range a.Offsets {
		at[o]++
		u.words[o%sector] = true
		u.places[o%accessAlignment]++
	}
	u.several = u.several || len(at) > 1
	for _, n := range at {
		u.together += n * (n - 1)
	}
	u.pairs += float64(len(a.Offsets) * (len(a.Offsets) - 1))
}

// accessAlignment is what the offsets of an access are normalised by (idg.Access).
const accessAlignment = 256

// uneven is how many words there would be if all were updated equally often, at most the given
// number. Of words with the shares p, two updates meet with the probability Σp², which is
// at most the share of the word that is updated most, for which all wait. Lanes of a warp show it, or
// places in 256 bytes where each warp has a word of its own; but not where each has one word only,
// which may be that of its group.
func (u *updates) uneven(words float64) float64 {
	if !u.shared || !u.several || u.together == 0 {
		return words
	}
	var same, all float64
	for _, n := range u.places {
		same, all = same+n*(n-1), all+n
	}
	return min(words, max(u.pairs/u.together, all*(all-1)/same))
}
