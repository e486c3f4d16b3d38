package metamorphic

import (
	"maps"
	"slices"
	"strconv"

	"gpupipe/internal/generate"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// launch is a launch that differs from the usual one in what its name says.
type launch struct {
	name string
	// change makes it of the usual one, which base was prepared for.
	change func(o *generate.Options, base *prepared)
	// silent launches give no arguments: the resolver knows as little of them as the compiler.
	silent bool
}

// prepare lowers a program for the launch.
func (l *launch) prepare(p *program, base *prepared) (*prepared, error) {
	k, err := p.prepare(func(o *generate.Options) {
		if l.change != nil {
			l.change(o, base)
		}
	})
	if err == nil && l.silent {
		k.Options.Args = nil // those of a directive, too
	}
	return k, err
}

// launches are those that are compared with the usual one.
var launches = []launch{
	{name: "sizes", change: otherSizes},
	{name: "large", change: largeArguments},
	{name: "small", change: smallArguments},
	{name: "unknown", silent: true},
	{name: "contents", change: otherContents},
	{name: "warps", change: lastWarp},
}

// otherSizes has three times as many groups in each dimension that has more than one, of half as many work items
// unless the source fixes their number.
func otherSizes(o *generate.Options, base *prepared) {
	local, groups := base.Launch.Local, base.Launch.Groups
	for d := range 3 {
		if groups[d] > 1 {
			groups[d] *= 3
		}
	}
	for d := 2; d >= 0 && base.fn.WorkGroupSize == [3]int64{}; d-- {
		if local[d]%2 == 0 && local[d] > 1 {
			local[d] /= 2
			break
		}
	}
	o.Global, o.Local, o.Groups = nil, generate.Trimmed(local), generate.Trimmed(groups)
}

// largeArguments are three times as large, which leaves no more iterations of an unrolled loop over than before
// if these were none.
func largeArguments(o *generate.Options, base *prepared) {
	otherArguments(o, base, func(n int64) int64 { return 3 * n })
}

// smallArguments are 1: little of the code is executed.
func smallArguments(o *generate.Options, base *prepared) {
	otherArguments(o, base, func(int64) int64 { return 1 })
}

// otherArguments gives other whole numbers.
func otherArguments(o *generate.Options, base *prepared, other func(int64) int64) {
	o.Args = nil
	for _, name := range slices.Sorted(maps.Keys(base.Options.Args)) {
		v := base.Options.Args[name]
		v.Int = other(v.Int)
		o.Args = append(o.Args, generate.Argument{Name: name, Value: v, Text: strconv.FormatInt(v.Int, 10)})
	}
}

// otherContents gives each buffer 4,096 small integers, which are no values that floating point has special cases for.
func otherContents(o *generate.Options, base *prepared) {
	o.Contents = nil
	for _, p := range base.Lowered.Params {
		if p.Type != lower.Ptr {
			continue
		}
		bytes := make([]byte, 1<<14)
		for i := 0; i < len(bytes); i += 4 {
			bytes[i] = byte(i * 7 % 61)
		}
		o.Contents = append(o.Contents, generate.Content{Name: p.Name, Bytes: bytes})
	}
}

// lastWarp traces the last warp of a group instead of the first.
func lastWarp(o *generate.Options, base *prepared) {
	l := base.Launch.Local
	warps := (l[0]*l[1]*l[2] + int64(o.Device.WarpSize) - 1) / int64(o.Device.WarpSize)
	o.Warps = generate.Warps{Choice: unroll.ListedWarps, List: []uint32{uint32(warps - 1)}}
}
