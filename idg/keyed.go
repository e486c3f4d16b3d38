package idg

import (
	"cmp"
	"math"
	"strconv"
)

// keyed is a member of an object in a document: how its value is read and how it is written. One list of them serves
// both directions, and has the order in which they are written.
type keyed struct {
	key   string
	read  func(*decoder)
	write func(*encoder)
	zero  bool   // the value that is written is that of no keyed
	must  bool   // a document that lacks it is wrong
	spare bool   // it is not written where it is zero
	code  string // of the error that it is missing; "" = CodeBroken
}

// required makes it a member that a document must have.
func (m keyed) required() keyed {
	m.must = true
	return m
}

// optional makes it a member that is not written where it is zero.
func (m keyed) optional() keyed {
	m.spare = true
	return m
}

// then does something behind what is read.
func (m keyed) then(do func(*decoder)) keyed {
	before := m.read
	m.read = func(d *decoder) {
		before(d)
		do(d)
	}
	return m
}

// read reads an object of the members that a value has.
func read[T any](d *decoder, what string, members func(*T) []keyed) T {
	var x T
	d.into(what, members(&x))
	return x
}

// into reads an object into its members.
func (d *decoder) into(what string, list []keyed) {
	start := d.startOf()
	var seen uint64
	d.members(what, func(key []byte) int {
		for i := range list {
			if list[i].key == string(key) {
				return i
			}
		}
		return -1
	}, func(k int) string { return list[k].key }, func(k int) {
		seen |= 1 << k
		list[k].read(d)
	})
	for i := range list {
		if list[i].must && seen>>i&1 == 0 {
			d.fail(start, cmp.Or(list[i].code, CodeBroken), "%s lacks %q", what, list[i].key)
		}
	}
}

// members writes those of an object.
func (e *encoder) members(list []keyed) {
	for i := range list {
		if m := &list[i]; !m.spare || !m.zero {
			e.key(m.key)
			m.write(e)
		}
	}
}

func text(key, what string, v *string) keyed {
	return keyed{key: key, zero: *v == "", read: func(d *decoder) { *v = d.text(what) },
		write: func(e *encoder) { e.text(*v) }}
}

func boolean(key string, v *bool) keyed {
	return keyed{key: key, zero: !*v, read: func(d *decoder) { *v = d.boolean("true or false") },
		write: func(e *encoder) { e.buf = strconv.AppendBool(e.buf, *v) }}
}

// number is a whole number from lo to hi.
func number[T ~int | ~int64 | ~uint8 | ~uint16](key, what string, v *T, lo, hi int64) keyed {
	return keyed{key: key, zero: *v == 0, read: func(d *decoder) { *v = T(d.integer(what, lo, hi)) },
		write: func(e *encoder) { e.buf = strconv.AppendInt(e.buf, int64(*v), 10) }}
}

// count is a number that cannot be negative.
func count(key, what string, v *int64) keyed { return number(key, what, v, 0, math.MaxInt64) }

// small is a number that fits in an int on every machine.
func small(key, what string, v *int) keyed { return number(key, what, v, 0, math.MaxInt32) }

// byteCount is a number of bytes.
func byteCount(key string, v *int64) keyed { return count(key, "the number of bytes", v) }

// id is that of something in another list of the document.
func id[T ~uint32](key string, v *T, of func(*decoder) *reference) keyed {
	return keyed{key: key, zero: *v == 0, read: func(d *decoder) { *v = T(d.id(of(d))) },
		write: func(e *encoder) { e.buf = strconv.AppendUint(e.buf, uint64(*v), 10) }}
}

// inLine is a list in one line.
func inLine[T any](key, what string, v *[]T, element func(*decoder) T, write func(*encoder, *T)) keyed {
	return keyed{key: key, zero: *v == nil, read: func(d *decoder) {
		d.array(what, func(int) { *v = append(*v, element(d)) })
	}, write: func(e *encoder) {
		e.raw("[")
		for i := range *v {
			if i > 0 {
				e.raw(",")
			}
			write(e, &(*v)[i])
		}
		e.raw("]")
	}}
}

// numberList is a list of numbers.
func numberList(key, what, one string, v *[]int64) keyed {
	return inLine(key, what, v, func(d *decoder) int64 { return d.integer(one, 0, math.MaxInt64) },
		func(e *encoder, n *int64) { e.buf = strconv.AppendInt(e.buf, *n, 10) })
}

// objects is a list of objects.
func objects[T any](key, what, one string, v *[]T, members func(*T) []keyed) keyed {
	return inLine(key, what, v, func(d *decoder) T { return read(d, one, members) },
		func(e *encoder, x *T) { e.object(members(x)) })
}

// lines is a list of objects, each on a line; part says where each of them begins to what finds violations.
func lines[T any](key, what, one string, v *[]T, p part, members func(*T) []keyed) keyed {
	return keyed{key: key, zero: *v == nil, read: func(d *decoder) {
		d.array(what, func(int) {
			d.places[p] = append(d.places[p], d.place())
			*v = append(*v, read(d, one, members))
		})
	}, write: func(e *encoder) { writeList(e, *v, func(x *T) { e.members(members(x)) }) }}
}

// extents is three numbers, one for each dimension.
func extents(key, what string, v *[3]int64) keyed {
	list := v[:]
	m := numberList(key, what, what, &list)
	m.read = func(d *decoder) {
		start := d.startOf()
		list = nil
		numberList(key, what, what, &list).read(d)
		if copy(v[:], list); len(list) != len(v) {
			d.fail(start, CodeBroken, "%s has %d dimensions, not 3", what, len(list))
		}
	}
	return m
}

func position(v *Pos) keyed {
	members := func(p *Pos) []keyed {
		return []keyed{text("file", "a file name", &p.File).required(), small("line", "the line", &p.Line).required(),
			small("column", "the column", &p.Column).optional()}
	}
	m := object("pos", "a position", v, members).optional()
	m.zero = *v == Pos{}
	return m
}

// object is a member of which the value is an object.
func object[T any](key, what string, v *T, members func(*T) []keyed) keyed {
	return keyed{key: key, read: func(d *decoder) { *v = read(d, what, members) },
		write: func(e *encoder) { e.object(members(v)) }}
}

// pointer is an object that may be missing.
func pointer[T any](key, what string, v **T, p part, members func(*T) []keyed) keyed {
	return keyed{key: key, zero: *v == nil, spare: true, read: func(d *decoder) {
		d.places[p] = append(d.places[p], d.place())
		x := read(d, what, members)
		*v = &x
	}, write: func(e *encoder) { e.object(members(*v)) }}
}

// object writes one in a line.
func (e *encoder) object(list []keyed) {
	e.raw("{")
	e.members(list)
	e.raw("}")
}
