package latencies

// Group is what a work group takes of a compute unit.
type Group struct {
	Items, Warps int64
	Registers    int64 // of a work item; 0 = not limiting
	LocalBytes   int64
}

// GroupLimit is how many groups of a kernel a compute unit holds by one resource.
type GroupLimit struct {
	Resource string // "warps", "groups", "work items", "local memory", "registers"
	Groups   int64
}

// GroupLimits lists what limits how many groups a compute unit holds at once, in the order in which ties are resolved.
func (d *Device) GroupLimits(g Group) (list []GroupLimit) {
	limit := func(resource string, groups int64) { list = append(list, GroupLimit{resource, groups}) }
	l := &d.Limits
	if l.Warps > 0 {
		limit("warps", l.Warps/g.Warps)
	}
	if n := l.GroupsOf(g.Warps); n > 0 {
		limit("groups", n)
	}
	if l.WorkItems > 0 {
		limit("work items", l.WorkItems/g.Items)
	}
	if n := d.GroupsByLocalMemory(g.LocalBytes); n >= 0 {
		limit("local memory", n)
	}
	if n := d.GroupsByRegisters(g.Warps, g.Registers); n >= 0 {
		limit("registers", n)
	}
	return list
}

// Holds is how many groups a compute unit holds at once and the resource that limits them; "" where nothing is known
// to.
func (d *Device) Holds(g Group) (least GroupLimit) {
	l := &d.Limits
	switch {
	case l.GroupWorkItems > 0 && g.Items > l.GroupWorkItems:
		return GroupLimit{"work items of a group", 0}
	case l.RegistersPerItem > 0 && g.Registers > l.RegistersPerItem:
		return GroupLimit{"registers of a work item", 0}
	}
	for _, x := range d.GroupLimits(g) {
		if least.Resource == "" || x.Groups < least.Groups {
			least = x
		}
	}
	return least
}
