package latencies

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"gpupipe/internal/diag"
	"gpupipe/internal/spelling"
)

// Default is the name of the device that the commands compile for, and predict for, unless told otherwise.
const Default = "a100"

// Unnamed is that of graphs that name none: files that idgen wrote before it had a default.
const Unnamed = "gtx1060"

// deviceFiles are the built-in devices and, in architectures, what those of one
// architecture have in common.
//
//go:embed devices/*.yaml architectures/*.yaml
var deviceFiles embed.FS

// Names lists the built-in devices in alphabetical order.
func Names() []string { return filesOf("devices") }

// Architectures lists, in alphabetical order, the parts that devices of one
// architecture have in common. A device file may extend them.
func Architectures() []string { return filesOf("architectures") }

// architecture is the common part called name.
func architecture(name string) (*Device, bool) {
	if !slices.Contains(Architectures(), name) {
		return nil, false
	}
	d, err := catalogue.read(name)
	return d, err == nil
}

// filesOf lists the embedded files of a directory, without .yaml.
func filesOf(dir string) []string {
	files, err := fs.Glob(deviceFiles, dir+"/*.yaml") // sorted
	if err != nil {
		panic("latencies: bug: " + err.Error()) // the pattern is constant
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(strings.TrimPrefix(f, dir+"/"), ".yaml")
	}
	return files
}

// Builtin returns the built-in device of a name, title or alias. Case, spaces,
// punctuation and the vendor's brand ("GeForce") do not matter. An unknown name is an error
// that suggests the nearest ones.
func Builtin(name string) (*Device, error) {
	if slices.Contains(Names(), name) {
		return catalogue.read(name) // the others' files would take most of a command's time
	}
	index, err := catalogueNames()
	if err != nil {
		return nil, err
	}
	if i, ok := slices.BinarySearchFunc(index, plainName(name), func(k catalogueKey, s string) int {
		return strings.Compare(k.plain, s)
	}); ok {
		return index[i].device, nil
	}
	var known []string
	for _, k := range index {
		known = append(known, k.plain)
	}
	var near []string
	for _, plain := range spelling.Nearest(plainName(name), known) {
		i := slices.IndexFunc(index, func(k catalogueKey) bool { return k.plain == plain })
		if n := index[i].device.Name; !slices.Contains(near, n) {
			near = append(near, n)
		}
	}
	e := diag.Errorf(diag.Pos{}, "UNKNOWN-GPU", "no GPU is called %q", name)
	if len(near) > 0 {
		e.Message += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	if of := ofArchitecture(index, name); len(of) > 0 {
		e.WithNote("%s is an architecture; its devices: %s", name, strings.Join(of, ", "))
	}
	if len(near) == 0 {
		e.WithNote("%s", spelling.Known("GPUs", name, Names()))
	}
	return nil, e.WithNote("pipesim gpus lists all; or name a device file")
}

// ofArchitecture lists the devices of an architecture as compilers call it (sm_86,
// compute_86, gfx90a) or people do (8.6, Ampere), in alphabetical order.
func ofArchitecture(index []catalogueKey, name string) []string {
	plain := plainName(name)
	for _, prefix := range []string{"sm", "compute", "cc"} {
		plain = strings.TrimPrefix(plain, prefix)
	}
	var names []string
	for _, k := range index {
		if d := k.device; plain != "" && (plain == plainName(d.Capability) ||
			plain == plainName(d.Architecture)) && !slices.Contains(names, d.Name) {
			names = append(names, d.Name)
		}
	}
	slices.Sort(names)
	return names
}

// builtins are the embedded files, each parsed when it is needed and never modified.
type builtins struct {
	mu    sync.Mutex
	files map[string]*Device // devices and common parts by the name of their file
}

var catalogue = builtins{files: map[string]*Device{}}

// catalogueKey is one name of a built-in device.
type catalogueKey struct {
	plain  string
	device *Device
}

// catalogueNames lists the names of all devices, sorted.
var catalogueNames = sync.OnceValues(func() (names []catalogueKey, err error) {
	for _, name := range Names() {
		d, err := catalogue.read(name)
		if err != nil {
			return nil, err
		}
		for _, n := range append([]string{name, d.Title}, d.Aliases...) {
			k := catalogueKey{plainName(n), d}
			if slices.ContainsFunc(names, func(o catalogueKey) bool { return o.plain == k.plain && o.device != d }) {
				return nil, fmt.Errorf("two built-in devices are called %q", n)
			}
			if !slices.Contains(names, k) {
				names = append(names, k)
			}
		}
	}
	slices.SortFunc(names, func(a, b catalogueKey) int { return strings.Compare(a.plain, b.plain) })
	return names, nil
})

// read returns a file's device or common part.
func (c *builtins) read(name string) (*Device, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.load(name)
}

// load parses a file, after the one that it extends. c is locked.
func (c *builtins) load(name string) (*Device, error) {
	if d, ok := c.files[name]; ok {
		if d == nil {
			return nil, fmt.Errorf("%s extends itself", name)
		}
		return d, nil
	}
	dir, e := "devices/", wholeDevice
	data, err := deviceFiles.ReadFile(dir + name + ".yaml")
	if err != nil {
		dir, e = "architectures/", commonPart
		if data, err = deviceFiles.ReadFile(dir + name + ".yaml"); err != nil {
			return nil, fmt.Errorf("no built-in device %q", name)
		}
	}
	c.files[name] = nil // while it is being parsed
	d, err := parseDevice(name+".yaml", data, e, c.load)
	if err != nil {
		return nil, err
	}
	c.files[name] = d
	return d, nil
}

// plainName is a name in lower case, reduced to letters and digits, without the
// vendor's and the product line's names.
func plainName(name string) string {
	var words []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}) {
		if !slices.Contains([]string{"nvidia", "amd", "geforce", "quadro", "tesla", "radeon"}, w) {
			words = append(words, w)
		}
	}
	return strings.Join(words, "")
}
