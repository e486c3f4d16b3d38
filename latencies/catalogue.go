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

// Default is the name of the device that the commands use unless told
// otherwise.
const Default = "gtx1060"

//go:embed devices/*.yaml
var deviceFiles embed.FS

//go:embed schema/device.schema.json
var deviceSchema []byte

// Schema returns the JSON Schema of device files.
func Schema() []byte { return slices.Clone(deviceSchema) }

// Names lists the built-in devices in alphabetical order.
func Names() []string {
	files, err := fs.Glob(deviceFiles, "devices/*.yaml") // sorted
	if err != nil {
		panic("latencies: bug: " + err.Error()) // the pattern is constant
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(strings.TrimPrefix(f, "devices/"), ".yaml")
	}
	return files
}

// Builtin returns the built-in device of a name, title or alias. Case, spaces,
// punctuation and the vendor's brand ("GeForce") do not matter. An unknown name is an error
// that suggests the nearest ones and lists them all.
func Builtin(name string) (*Device, error) {
	index, err := catalogue()
	if err != nil {
		return nil, err
	}
	if i, ok := slices.BinarySearchFunc(index, plainName(name), func(k catalogueKey, s string) int { return strings.Compare(k.plain, s) }); ok {
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
	return nil, e.WithNote("known: %s; or give a device file", strings.Join(Names(), ", "))
}

// catalogueKey is one name of a built-in device.
type catalogueKey struct {
	plain  string
	device *Device
}

// catalogue parses the embedded files once; its product is never modified.
var catalogue = sync.OnceValues(func() ([]catalogueKey, error) {
	parsed := map[string]*Device{}
	var load func(name string) (*Device, error)
	load = func(name string) (*Device, error) {
		if d, ok := parsed[name]; ok {
			return d, nil
		}
		data, err := deviceFiles.ReadFile("devices/" + name + ".yaml")
		if err != nil {
			return nil, fmt.Errorf("no built-in device %q", name)
		}
		parsed[name] = nil // a circle of extends ends in an incomplete base
		d, err := parseDevice(name+".yaml", data, func(base string) (*Device, error) {
			if b, ok := parsed[base]; ok && b == nil {
				return nil, fmt.Errorf("%s extends itself", base)
			}
			return load(base)
		})
		if err != nil {
			return nil, err
		}
		parsed[name] = d
		return d, nil
	}
	var keys []catalogueKey
	for _, name := range Names() {
		d, err := load(name)
		if err != nil {
			return nil, err
		}
		for _, n := range append([]string{name, d.Title}, d.Aliases...) {
			k := catalogueKey{plainName(n), d}
			if slices.ContainsFunc(keys, func(o catalogueKey) bool { return o.plain == k.plain && o.device != d }) {
				return nil, fmt.Errorf("two built-in devices are called %q", n)
			}
			if !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
	}
	slices.SortFunc(keys, func(a, b catalogueKey) int { return strings.Compare(a.plain, b.plain) })
	return keys, nil
})

// plainName is a name in lower case, reduced to letters and digits, without the
// vendor's and the product line's names.
func plainName(name string) string {
	var words []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		if !slices.Contains([]string{"nvidia", "amd", "geforce", "quadro", "tesla", "radeon"}, w) {
			words = append(words, w)
		}
	}
	return strings.Join(words, "")
}
