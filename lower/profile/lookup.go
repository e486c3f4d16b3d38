package profile

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

//go:embed profiles/*.yaml
var profileFiles embed.FS

// sourced is a value of a profile and where it is from.
type sourced[T any] struct {
	Value  T      `yaml:"value"`
	Source string `yaml:"source"`
	Note   string `yaml:"note"`
}

// set gives a figure of a profile the value, where the file has one.
func (s *sourced[T]) set(figure *T) {
	if s.Source != "" {
		*figure = s.Value
	}
}

// profileRow is a profile as its file has it. A profile has what the one that it is like has, but for what it
// states itself.
type profileRow struct {
	Name          string                `yaml:"name"`
	Like          string                `yaml:"like"`
	Contract      sourced[Contraction]  `yaml:"contract"`
	Wide          sourced[[]Width]      `yaml:"wide"`
	ContractWhole sourced[bool]         `yaml:"contract_whole"`
	Speculate     sourced[Speculation]  `yaml:"speculate"`
	Address       sourced[AddressRule]  `yaml:"address"`
	Unroll        sourced[UnrollRule]   `yaml:"unroll"`
	Strength      sourced[StrengthRule] `yaml:"strength"`
	Late          sourced[LateRule]     `yaml:"late"`
	IndexRanges   sourced[bool]         `yaml:"index_ranges"`
	LocalBytes    sourced[int64]        `yaml:"local_bytes"`
	VIADD         sourced[bool]         `yaml:"viadd"`
	Library       sourced[string]       `yaml:"library"`
	MachineSink   sourced[bool]         `yaml:"machine_sink"`
	SinkCopies    sourced[bool]         `yaml:"sink_copies"`
	Hoist         sourced[bool]         `yaml:"hoist"`
	ShuffleWrites sourced[bool]         `yaml:"shuffle_writes"`
	Indexed       sourced[IndexedRule]  `yaml:"indexed"`
	MergeStores   sourced[bool]         `yaml:"merge_stores"`
	CountBits     sourced[bool]         `yaml:"count_bits"`
	// Calls replaces sizes of functions in the costs of unrolling.
	Calls sourced[map[string]int64] `yaml:"calls"`
}

// profiles are those of all files, read once.
var profiles = sync.OnceValues(func() ([]*Profile, error) {
	text, err := profileFiles.ReadFile("profiles/profiles.yaml")
	if err != nil {
		return nil, err
	}
	var file struct {
		Sources  map[string]string `yaml:"sources"`
		Profiles []profileRow      `yaml:"profiles"`
	}
	if err := yaml.UnmarshalWithOptions(text, &file, yaml.Strict()); err != nil {
		return nil, err
	}
	var list []*Profile
	for _, r := range file.Profiles {
		p := &Profile{}
		if r.Like != "" {
			i := slices.IndexFunc(list, func(p *Profile) bool { return p.Name == r.Like })
			if i < 0 {
				return nil, fmt.Errorf("profile %s is like %s, which is not in front of it", r.Name, r.Like)
			}
			*p = *list[i]
		}
		p.Name = r.Name
		r.Contract.set(&p.Contract)
		r.ContractWhole.set(&p.ContractWhole)
		r.Speculate.set(&p.Speculate)
		r.Address.set(&p.Address)
		r.Unroll.set(&p.Unroll)
		r.Strength.set(&p.Strength)
		r.ShuffleWrites.set(&p.ShuffleWrites)
		r.IndexRanges.set(&p.IndexRanges)
		r.LocalBytes.set(&p.LocalBytes)
		r.VIADD.set(&p.VIADD)
		r.Library.set(&p.Library)
		r.MachineSink.set(&p.MachineSink)
		r.SinkCopies.set(&p.SinkCopies)
		r.Hoist.set(&p.Hoist)
		r.Wide.set(&p.Wide)
		r.Late.set(&p.Late)
		r.Indexed.set(&p.Indexed)
		r.MergeStores.set(&p.MergeStores)
		r.CountBits.set(&p.CountBits)
		if calls := &p.Unroll.Costs.Calls; len(r.Calls.Value) > 0 {
			*calls = maps.Clone(*calls)
			maps.Copy(*calls, r.Calls.Value)
		}
		list = append(list, p)
	}
	return list, nil
})

// Lookup finds the profile of a compiler by its name.
func Lookup(name string) (*Profile, error) {
	list, err := profiles()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range list {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return nil, fmt.Errorf("no profile %q of a compiler; the profiles: %s", name, strings.Join(names, ", "))
}
