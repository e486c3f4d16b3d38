package simulate

// Pairs in the fast engine
//
// Instructions that take two subsystems at once have a port of their own, which is free
// when the first is and there is room in front of the second. So ready instructions are found as without pairs; only
// who takes a subsystem that is of a pair has more to do, and is told by flagApart.

// addPairs makes the ports of pairs.
func (m *machine) addPairs() {
	pairs := m.pairs()
	m.paired, m.pairsOf = len(pairs) > 0, make([][]uint16, len(m.used))
	for i, r := range pairs {
		port := uint16(len(m.used) + i)
		m.pairsOf[r.first] = append(m.pairsOf[r.first], port)
		m.pairsOf[r.second] = append(m.pairsOf[r.second], port)
		for k := range m.cores {
			m.cores[k].ports[port].subsystem = port
		}
	}
}

// takePaired gives an instruction of a class that was ready, of a warp whose rank is the bit, all
// that it takes, and returns its turn.
func (m *machine) takePaired(c *subCore, p *fastPort, bit uint64, class uint32) Tick {
	p.take(bit, p.free)
	turn := m.now
	for _, x := range m.classes[class].charges {
		turn = max(turn, m.takeOne(c, x.used, x.hold))
	}
	return turn
}

// takeOne gives an instruction one of the subsystems that it takes, or a place in the
// queue of the sub-core in front of it, and returns its turn there.
func (m *machine) takeOne(c *subCore, s uint16, hold Tick) Tick {
	p := &c.ports[s]
	if len(c.queues[s].turns) > 0 {
		turn := m.enqueue(c, p, 0, hold)
		m.freePairs(c, s)
		return turn
	}
	turn := max(m.now, p.free)
	if !p.shared {
		p.take(0, turn+hold)
		c.queues[s].begun = turn
		m.freePairs(c, s)
		return turn
	}
	m.takeShared(c, p, turn+hold)
	for i := range m.cores {
		m.cores[i].queues[s].begun = turn
		m.freePairs(&m.cores[i], s)
	}
	return turn
}

// freePairs finds from when on the pairs that a subsystem is of are free.
func (m *machine) freePairs(c *subCore, s uint16) {
	for _, k := range m.pairsOf[s] {
		r := m.routes[k]
		room := c.queues[r.second].begun
		if len(c.queues[r.second].turns) > 0 {
			room = c.ports[r.second].free
		}
		c.ports[k].take(0, max(c.ports[r.first].free, room))
	}
}
