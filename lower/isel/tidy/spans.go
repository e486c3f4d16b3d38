package tidy

import (
	"slices"
	"sort"
)

// span is where a cell is live: from a write to the last read, node i reading at 4i and writing at 4i + 2.
type span struct {
	from, to int
	value    int32 // spans of one value do not get in each other's way
}

// behind is the first of some spans in order that ends behind a place.
func behind(list []span, at int) int {
	return sort.Search(len(list), func(i int) bool { return list[i].to > at })
}

// lives reports whether one of some spans in order covers what is from one place to another.
func lives(list []span, from, to int) bool {
	i := behind(list, to)
	return i < len(list) && list[i].from <= from
}

// spanList is spans in order, with room at both ends: registers that live one after the other join one at either end
// of what there is, so that a switch of many cases takes no quadratic time.
type spanList struct {
	room       []span
	first, end int
}

func newSpanList(list []span) spanList { return spanList{room: list, end: len(list)} }

func (l *spanList) list() []span { return l.room[l.first:l.end] }

// meets reports whether two lists overlap with different values.
func (l *spanList) meets(other *spanList) bool {
	short, long := l.list(), other.list()
	if len(short) > len(long) {
		short, long = long, short
	}
	for _, s := range short {
		for i := behind(long, s.from); i < len(long) && long[i].from < s.to; i++ {
			if long[i].value != s.value {
				return true
			}
		}
	}
	return false
}

// join is the spans of two lists that do not meet.
func (l *spanList) join(other *spanList) spanList {
	long, short := *l, other.list()
	if len(short) > len(long.list()) {
		long, short = *other, l.list()
	}
	for _, s := range short {
		long.add(s)
	}
	return long
}

// add puts a span in its place, or makes one of it and those that it touches; these have the same value.
func (l *spanList) add(s span) {
	list := l.list()
	i := behind(list, s.from)
	j := i
	for ; j < len(list) && list[j].from < s.to; j++ {
		s.from, s.to = min(s.from, list[j].from), max(s.to, list[j].to)
	}
	if j > i {
		l.end -= j - i - 1
		list = slices.Delete(list, i+1, j)
		list[i] = s
		return
	}
	if l.first == 0 || l.end == len(l.room) {
		room := make([]span, 3*len(list)+8)
		first := len(list) + 4
		l.room, l.first, l.end = room, first, first+copy(room[first:], list)
	}
	if i < len(list)/2 { // moves the fewer ones
		copy(l.room[l.first-1:], l.room[l.first:l.first+i])
		l.first--
	} else {
		copy(l.room[l.first+i+1:], l.room[l.first+i:l.end])
		l.end++
	}
	l.room[l.first+i] = s
}
