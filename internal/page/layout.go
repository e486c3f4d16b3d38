package page

import (
	"cmp"
	"slices"
)

// widest is how many nodes stand side by side at most.
const widest = 8

// sweeps is how often the nodes of all layers are ordered by their neighbours (Sugiyama, Tagawa, Toda 1981).
const sweeps = 6

// place gives each node a layer below those that it depends on, and a slot near them. Layers that are wider than
// widest are divided.
func (v *View) place() {
	layers := v.layers()
	for i := range 2 * sweeps {
		down := i%2 == 0
		for k := range layers {
			if !down {
				k = len(layers) - 1 - k
			}
			v.order(layers[k], down)
		}
	}
	n := 0
	for _, layer := range layers {
		for part := range slices.Chunk(layer, widest) {
			for i, node := range part {
				v.Nodes[node].Layer, v.Nodes[node].Slot = n, float64(i)-float64(len(part)-1)/2
			}
			n++
		}
	}
}

// layers lists the nodes by their distance from the first ones. Nodes are in program order: an edge that is not
// carried points to a later one.
func (v *View) layers() [][]int {
	into := make([][]int, len(v.Nodes))
	for _, e := range v.Edges {
		if !e.Carried {
			into[e.To] = append(into[e.To], e.From)
		}
	}
	var out [][]int
	for i := range v.Nodes {
		layer := 0
		for _, u := range into[i] {
			layer = max(layer, v.Nodes[u].Layer+1)
		}
		v.Nodes[i].Layer = layer
		for len(out) <= layer {
			out = append(out, nil)
		}
		v.Nodes[i].Slot = float64(len(out[layer]))
		out[layer] = append(out[layer], i)
	}
	return out
}

// order sorts a layer by the mean slot of the nodes above it, or of those below.
func (v *View) order(layer []int, down bool) {
	at := map[int]float64{}
	for _, node := range layer {
		sum, count := 0.0, 0.0
		for _, e := range v.Edges {
			other := e.From
			if !down {
				other = e.To
			}
			if !e.Carried && (down && e.To == node || !down && e.From == node) {
				sum, count = sum+v.Nodes[other].Slot, count+1
			}
		}
		at[node] = v.Nodes[node].Slot
		if count > 0 {
			at[node] = sum / count
		}
	}
	slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
	for i, node := range layer {
		v.Nodes[node].Slot = float64(i) - float64(len(layer)-1)/2
	}
}
