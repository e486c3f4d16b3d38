package difference

import (
	"cmp"
	"math"
	"slices"
)

// Document is what changed, as JSON.
type Document struct {
	Format  string   `json:"format"` // "pipesim-diff"
	Version int      `json:"version"`
	Kernels []Kernel `json:"kernels"`           // those that most time was added to first
	Removed []string `json:"removed"`           // kernels of OLD alone
	Added   []string `json:"added"`             // kernels of NEW alone
	Allowed []string `json:"allowed,omitempty"` // kernels of OLD alone that are meant to be gone
}

// Kernel is what changed of a kernel. The seconds of Causes, and those of Lines, add up to the time.
type Kernel struct {
	Kernel string   `json:"kernel"`
	Old    Version  `json:"old"`
	New    Version  `json:"new"`
	Change float64  `json:"change"` // of the time: 0.1 is 10% longer
	Roof   []Peak   `json:"roof"`
	Causes []Change `json:"causes"` // largest changes first
	Lines  []Change `json:"lines"`  // largest changes first
}

// Version is one of the two versions of a kernel.
type Version struct {
	Kernel  string  `json:"kernel"`
	File    string  `json:"file"`
	Device  string  `json:"device"`
	Seconds float64 `json:"seconds"`
	Bound   string  `json:"bound"`

	subsystem string // that bounds it, by title
}

// Peak is how much of a peak is reached.
type Peak struct {
	Name string  `json:"name"`
	Old  float64 `json:"old_share"`
	New  float64 `json:"new_share"`
}

// Change is the time of a cause or of a source line; what a version lacks is 0 or empty.
type Change struct {
	Code      string  `json:"code,omitempty"`
	Subsystem string  `json:"subsystem,omitempty"`
	File      string  `json:"file,omitempty"`
	OldLine   int     `json:"old_line,omitempty"`
	NewLine   int     `json:"new_line,omitempty"`
	Text      string  `json:"text,omitempty"`
	Old       float64 `json:"old_seconds"`
	New       float64 `json:"new_seconds"`
}

func (c *Change) change() float64 { return c.New - c.Old }

// Compare compares the kernels of two versions: those of the same name, or one with one whatever their names.
func Compare(old, new []*Outcome) (*Document, error) {
	if len(old) != 1 || len(new) != 1 {
		return CompareByName(old, new)
	}
	d := newDocument()
	d.Kernels = append(d.Kernels, compareKernel(new[0].Kernel, old[0], new[0]))
	return d, nil
}

func newDocument() *Document {
	return &Document{Format: "pipesim-diff", Version: 1, Kernels: []Kernel{}, Removed: []string{}, Added: []string{}}
}

// CompareByName compares the kernels of two versions that have the same name.
func CompareByName(old, new []*Outcome) (*Document, error) {
	d := newDocument()
	before, after, err := byName(old, new)
	if err != nil {
		return nil, err
	}
	for _, n := range sortedKeys(before) {
		if after[n] == nil {
			d.Removed = append(d.Removed, n)
			continue
		}
		d.Kernels = append(d.Kernels, compareKernel(n, before[n], after[n]))
	}
	for _, n := range sortedKeys(after) {
		if before[n] == nil {
			d.Added = append(d.Added, n)
		}
	}
	slices.SortStableFunc(d.Kernels, func(a, b Kernel) int {
		return cmp.Compare(b.New.Seconds-b.Old.Seconds, a.New.Seconds-a.Old.Seconds)
	})
	return d, nil
}

func compareKernel(name string, old, new *Outcome) Kernel {
	k := Kernel{Kernel: name, Old: old.version(), New: new.version(), Change: new.Seconds/old.Seconds - 1,
		Roof: peaks(old, new)}
	type causeKey struct{ code, subsystem string }
	k.Causes = changes(old, new, func(o *Outcome, cause int) causeKey {
		c := &o.Causes[cause]
		return causeKey{c.Code, o.title(c.Subsystem)}
	},
		func(key causeKey) Change { return Change{Code: key.code, Subsystem: key.subsystem} })
	k.Lines = changes(old, new, func(o *Outcome, cause int) lineKey {
		return o.keys[place{o.Causes[cause].File, o.Causes[cause].Line}]
	},
		func(key lineKey) Change {
			return Change{File: key.file, Text: key.text, OldLine: old.numbers[key], NewLine: new.numbers[key]}
		})
	return k
}

// changes adds up the causes of two versions that have the same key, the largest changes first.
func changes[K comparable](old, new *Outcome, key func(o *Outcome, cause int) K,
	describe func(K) Change) []Change {
	index := map[K]int{}
	list := []Change{}
	for _, o := range []*Outcome{old, new} {
		for i := range o.Causes {
			k := key(o, i)
			at, ok := index[k]
			if !ok {
				at = len(list)
				index[k], list = at, append(list, describe(k))
			}
			seconds := o.Causes[i].Cycles.Float() / float64(o.Device.ClockHz)
			if o == old {
				list[at].Old += seconds
			} else {
				list[at].New += seconds
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Change) int {
		return cmp.Compare(math.Abs(b.change()), math.Abs(a.change()))
	})
	return list
}

// peaks compares what is reached of the peaks that are known.
func peaks(old, new *Outcome) []Peak {
	list := []Peak{}
	for _, o := range []*Outcome{new, old} {
		if o.Roof == nil {
			continue
		}
		for _, u := range o.Roof.Uses {
			if u.Peak > 0 && !slices.ContainsFunc(list, func(p Peak) bool { return p.Name == u.Name }) {
				list = append(list, Peak{u.Name, old.share(u.Name), new.share(u.Name)})
			}
		}
	}
	return list
}
