package tune

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// cacheFile is a cache of Kernel Tuner: its results by configuration, in their order.
type cacheFile struct {
	DeviceName string           `json:"device_name"`
	KernelName string           `json:"kernel_name"`
	Problem    any              `json:"problem_size"`
	Keys       []string         `json:"tune_params_keys"`
	Params     map[string][]any `json:"tune_params"`
	Objective  string           `json:"objective,omitempty"`
	Cache      json.RawMessage  `json:"cache"`
}

// cacheEntry is one configuration.
type cacheEntry struct {
	key    string
	values map[string]any
}

// entries are the configurations in the order of the file.
func (c *cacheFile) entries() (list []cacheEntry) {
	d := json.NewDecoder(bytes.NewReader(c.Cache))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		e := cacheEntry{key: fmt.Sprint(key)}
		if err != nil || d.Decode(&e.values) != nil {
			return list
		}
		list = append(list, e)
	}
	return list
}
