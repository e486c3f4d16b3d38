package machine

// Arrange gives selected code its final form: it orders the instructions, gives registers, stores in memory what
// has none, and fills c.Resources. Ordering and allocation belong together: the order uses as many registers as
// there are, and how many there are is chosen so that the code fits (budgets).
func Arrange(c *Code, o *Options) error {
	t := c.Target
	if t.MaxRegisters == 0 { // a virtual machine: in program order, with as many registers as there are
		a := newAllocation(linearise(c), noBudget)
		a.run()
		a.count()
		return nil
	}
	s := newScheduler(c)
	budgets := t.budgets(o, c.Resources.LocalBytes)
	var a *allocation
	for i, budget := range budgets {
		if a = s.within(budget); a != nil {
			break
		}
		if i == len(budgets)-1 {
			a = s.spilling(budget)
		}
	}
	a.count()
	return nil
}

// noBudget is a number of registers that no code has.
const noBudget = 1 << 20

// tighter is by how many registers the order is held back where registers that lie together do not fit into the
// budget: words of wide registers leave gaps.
var tighter = [...]int{0, 2, 4, 8}

// within orders and allocates with so many registers, as reported; nil: it does not fit.
func (s *scheduler) within(budget int) *allocation {
	t := s.l.code.Target
	words := budget - t.Counted
	for _, less := range tighter {
		limit := words - t.Reserved - less
		if s.run(limit) > max(limit, words-t.Reserved) {
			return nil
		}
		l := linearise(s.l.code)
		for _, banks := range [...]int{t.Banks, 1} {
			a := newAllocation(l, words)
			a.banks = banks
			if a.run(); a.files[Vector].used <= words {
				return a
			}
			if banks == 1 {
				break
			}
		}
	}
	return nil
}

// spilling does the same with registers that are in memory for a part of the time.
func (s *scheduler) spilling(budget int) *allocation {
	a := newAllocation(linearise(s.l.code), budget)
	a.run()
	return a
}
