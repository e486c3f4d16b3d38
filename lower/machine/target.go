package machine

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

// Target is a family of devices as a compiler sees it: a row of data/targets.yaml, where each number has its
// source.
type Target struct {
	Name     string // "sm_80", "gfx90a", "source"
	ISA      string // "sass", "gcn": which selection table; "source": the code is what the source says
	WarpSize int
	// Registers of 32 bits of a lane: the most of a thread; those of a compute unit, and its unit of allocation
	// for a warp, in words; the step in which a thread's number grows.
	MaxRegisters, FileRegisters, RegisterUnit, RegisterStep int
	Reserved                                                int // registers that every kernel takes (stack pointer)
	Counted                                                 int // registers that the compiler's report adds
	UniformRegisters                                        int // 0: none
	// of a partition, and their unit of allocation for a warp; 0: each warp has all that there are
	UniformFile, UniformUnit int
	MaxOrdinary              int // registers that any instruction can read, of MaxRegisters; 0: all
	Predicates               int
	// of registers; sources of an instruction in one conflict
	Banks int
	// of vector registers that are left for loads on their way
	InFlight int
	// up to how many registers are filled with loads on their way where the compiler is told how many groups are to be
	// resident, even 1, or the limit of registers; 0: none more than other code has
	Filled int
	// Sparing says which blocks may be ordered by what readers wait for only: of up to so many instructions, where that
	// takes so many times fewer registers, in percent. 0: none.
	Sparing struct{ Most, Fewer int }
	// of how many instructions of a loop one may be made in it again, which could stand in front of it
	RemadeShare int
	// 1: numbers of registers are chosen by how many groups are resident, not warps
	GroupSteps int
	// compute units that a group may be spread over; 0: one
	GroupUnits int
	// of a compute unit, each with its part of the registers
	Partitions                                          int
	MaxThreads, MaxWarps, MaxGroups                     int // of a compute unit
	Spills                                              Spills
	LocalBytes, LocalPerGroup, LocalUnit, LocalReserved int64
	Parameters                                          int64 // offset of the first one in the constant bank
	Dimensions                                          int64 // offset of the size of a group there
	OffsetBits                                          int   // of the constant in an access, with its sign
	WidestAccess                                        int64 // bytes of a lane
	// Predication is how many instructions a side of a branch may have to be predicated instead: in general; where
	// all lanes go the same way; with loads of global memory. 0: none.
	Predication struct{ Most, Uniform, Loading int }
	Latencies   map[string]int
	Features    map[string]bool
	Source      string
}

// Spills are the instructions that store and load a spilled register of one, two and four words, and those that
// move registers of other files into vector registers and back.
type Spills struct {
	Store, Load []string
	Pipe        string
	Keep        map[Class][2]string
	Zero        bool // a register that is always zero can be stored
	Once        bool // a slot is read once, but for what a loop does not write: what is spilled again is stored again
}

// Has reports whether the target has a feature.
func (t *Target) Has(feature string) bool { return t.Features[feature] }

// With is the target with a feature more.
func (t *Target) With(feature string) *Target {
	more := *t
	more.Features = maps.Clone(t.Features)
	if more.Features == nil {
		more.Features = map[string]bool{}
	}
	more.Features[feature] = true
	return &more
}

// Latency is in how many cycles a scheduler assumes an instruction to have its result: by mnemonic, the
// mnemonic's first word, class, or pipe; 1 where the target has none of them.
func (t *Target) Latency(in *Instr) int {
	word, _, _ := strings.Cut(in.Op, ".")
	for _, key := range [...]string{in.Op, word, in.Class, in.Pipe} {
		if n, ok := t.Latencies[key]; ok && key != "" {
			return n
		}
	}
	return 1
}

//go:embed data/targets.yaml
var targetsYAML []byte

// figure is a number and where it is from.
type figure struct {
	Value  *int64 `yaml:"value"`
	Source string `yaml:"source"`
	Note   string `yaml:"note"`
}

type targetRow struct {
	Name          string `yaml:"name"`
	Like          string `yaml:"like"`
	ISA           string `yaml:"isa"`
	WarpSize      figure `yaml:"warp_size"`
	MaxRegisters  figure `yaml:"max_registers"`
	FileRegisters figure `yaml:"file_registers"`
	RegisterUnit  figure `yaml:"register_unit"`
	RegisterStep  figure `yaml:"register_step"`
	Reserved      figure `yaml:"reserved"`
	Counted       figure `yaml:"counted"`
	Uniform       figure `yaml:"uniform_registers"`
	UniformFile   figure `yaml:"uniform_file"`
	UniformUnit   figure `yaml:"uniform_unit"`
	MaxOrdinary   figure `yaml:"max_ordinary"`
	Predicates    figure `yaml:"predicates"`
	Banks         figure `yaml:"banks"`
	InFlight      figure `yaml:"in_flight"`
	Filled        figure `yaml:"filled"`
	SparingMost   figure `yaml:"sparing_most"`
	SparingFewer  figure `yaml:"sparing_fewer"`
	RemadeShare   figure `yaml:"remade_share"`
	GroupUnits    figure `yaml:"group_units"`
	GroupSteps    figure `yaml:"group_steps"`
	Partitions    figure `yaml:"partitions"`
	MaxThreads    figure `yaml:"max_threads"`
	MaxWarps      figure `yaml:"max_warps"`
	MaxGroups     figure `yaml:"max_groups"`
	LocalBytes    figure `yaml:"local_bytes"`
	LocalPerGroup figure `yaml:"local_per_group"`
	LocalUnit     figure `yaml:"local_unit"`
	LocalReserved figure `yaml:"local_reserved"`
	Parameters    figure `yaml:"parameters"`
	Dimensions    figure `yaml:"dimensions"`
	OffsetBits    figure `yaml:"offset_bits"`
	WidestAccess  figure `yaml:"widest_access"`
	Predicated    figure `yaml:"predicated"`
	PredicatedU   figure `yaml:"predicated_uniform"`
	PredicatedL   figure `yaml:"predicated_loading"`
	Spills        struct {
		Store      []string `yaml:"store"`
		Load       []string `yaml:"load"`
		Pipe       string   `yaml:"pipe"`
		Predicates []string `yaml:"predicates"`
		Uniform    []string `yaml:"uniform"`
		Zero       bool     `yaml:"zero"`
		Once       bool     `yaml:"once"`
		Source     string   `yaml:"source"`
	} `yaml:"spills"`
	Features struct {
		Value  []string `yaml:"value"`
		Source string   `yaml:"source"`
	} `yaml:"features"`
	Latencies struct {
		Source string `yaml:"source"`
	} `yaml:"latencies"`
	Cycles map[string]int `yaml:"cycles"`
}

// targets are the rows of the table, read once.
var targets = sync.OnceValues(func() ([]*Target, error) {
	var file struct {
		Sources map[string]string `yaml:"sources"`
		Targets []targetRow       `yaml:"targets"`
	}
	if err := yaml.UnmarshalWithOptions(targetsYAML, &file, yaml.Strict()); err != nil {
		return nil, err
	}
	var list []*Target
	for _, r := range file.Targets {
		t := &Target{}
		if r.Like != "" {
			i := slices.IndexFunc(list, func(t *Target) bool { return t.Name == r.Like })
			if i < 0 {
				return nil, fmt.Errorf("target %s is like %s, which is not in front of it", r.Name, r.Like)
			}
			*t = *list[i]
		}
		r.into(t)
		list = append(list, t)
	}
	return list, nil
})

// into overwrites what a row states.
func (r *targetRow) into(t *Target) {
	t.Name = r.Name
	if r.ISA != "" {
		t.ISA = r.ISA
	}
	number := func(to *int, f figure) {
		if f.Value != nil {
			*to = int(*f.Value)
		}
	}
	bytes := func(to *int64, f figure) {
		if f.Value != nil {
			*to = *f.Value
		}
	}
	number(&t.WarpSize, r.WarpSize)
	number(&t.MaxRegisters, r.MaxRegisters)
	number(&t.FileRegisters, r.FileRegisters)
	number(&t.RegisterUnit, r.RegisterUnit)
	number(&t.RegisterStep, r.RegisterStep)
	number(&t.Reserved, r.Reserved)
	number(&t.Counted, r.Counted)
	number(&t.UniformRegisters, r.Uniform)
	number(&t.UniformFile, r.UniformFile)
	number(&t.UniformUnit, r.UniformUnit)
	number(&t.MaxOrdinary, r.MaxOrdinary)
	number(&t.Predicates, r.Predicates)
	number(&t.Banks, r.Banks)
	number(&t.InFlight, r.InFlight)
	number(&t.Filled, r.Filled)
	number(&t.Sparing.Most, r.SparingMost)
	number(&t.Sparing.Fewer, r.SparingFewer)
	number(&t.RemadeShare, r.RemadeShare)
	number(&t.GroupUnits, r.GroupUnits)
	number(&t.GroupSteps, r.GroupSteps)
	number(&t.Partitions, r.Partitions)
	number(&t.MaxThreads, r.MaxThreads)
	number(&t.MaxWarps, r.MaxWarps)
	number(&t.MaxGroups, r.MaxGroups)
	bytes(&t.LocalBytes, r.LocalBytes)
	bytes(&t.LocalPerGroup, r.LocalPerGroup)
	bytes(&t.LocalUnit, r.LocalUnit)
	bytes(&t.LocalReserved, r.LocalReserved)
	bytes(&t.Parameters, r.Parameters)
	bytes(&t.Dimensions, r.Dimensions)
	number(&t.OffsetBits, r.OffsetBits)
	bytes(&t.WidestAccess, r.WidestAccess)
	number(&t.Predication.Most, r.Predicated)
	number(&t.Predication.Uniform, r.PredicatedU)
	number(&t.Predication.Loading, r.PredicatedL)
	if r.Spills.Store != nil {
		t.Spills = Spills{Store: r.Spills.Store, Load: r.Spills.Load, Pipe: r.Spills.Pipe, Keep: map[Class][2]string{},
			Zero: r.Spills.Zero, Once: r.Spills.Once}
		for class, names := range map[Class][]string{Predicate: r.Spills.Predicates, Uniform: r.Spills.Uniform} {
			if len(names) == 2 {
				t.Spills.Keep[class] = [2]string(names)
			}
		}
	}
	if r.Features.Value != nil {
		t.Features = map[string]bool{}
		for _, f := range r.Features.Value {
			t.Features[f] = true
		}
	}
	if r.Latencies.Source != "" {
		t.Source = r.Latencies.Source
	}
	latencies := make(map[string]int, len(t.Latencies)+len(r.Cycles))
	for k, v := range t.Latencies {
		latencies[k] = v
	}
	for k, v := range r.Cycles {
		latencies[k] = v
	}
	t.Latencies = latencies
}

// LookupTarget finds a target by its name.
func LookupTarget(name string) (*Target, error) {
	list, err := targets()
	if err != nil {
		return nil, err
	}
	for _, t := range list {
		if t.Name == name {
			return t, nil
		}
	}
	return nil, fmt.Errorf("no target %q; the targets: %s", name, strings.Join(TargetNames(), ", "))
}

// TargetNames lists the targets.
func TargetNames() []string {
	list, _ := targets()
	var names []string
	for _, t := range list {
		names = append(names, t.Name)
	}
	return names
}
