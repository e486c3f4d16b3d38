package unroll

// recentLoads are the last loads of an alias class: at most maxRecords, of which
// half are dropped when another one comes.
type recentLoads struct {
	list  []accessRecord
	count int64 // since the list was empty
	asked int64 // how often somebody has looked at it, or emptied it
}

func (l *recentLoads) add(r accessRecord) {
	if len(l.list) >= maxRecords {
		l.list = append(l.list[:0], l.list[len(l.list)-maxRecords/2:]...)
	}
	l.list = append(l.list, r)
	l.count++
}

// all returns the loads.
func (l *recentLoads) all() []accessRecord {
	l.asked++
	return l.list
}

func (l *recentLoads) clear() {
	l.asked++
	l.list, l.count = l.list[:0], 0
}

// unasked reports whether loads have only been added since a state before, however
// many there were. Then it does not matter which they are, as long as they are
// gone when somebody asks: a list has no more than maxRecords.
func (l *recentLoads) unasked(before *recentLoads) bool {
	return l.asked == before.asked && l.count > before.count
}

// skip takes notice that so many loads have been added that are not recorded. The
// list gets the length that it would have; the loads in it are not those.
func (l *recentLoads) skip(n int64) {
	l.count += n
	length := int(l.count)
	if l.count > maxRecords {
		length = maxRecords/2 + 1 + int((l.count-maxRecords-1)%(maxRecords/2))
	}
	for len(l.list) < length {
		l.list = append(l.list, l.list[0])
	}
	l.list = l.list[len(l.list)-length:]
}
