package main

import (
	"crypto/sha256"
	"sync"

	"gpupipe/idg"
)

// memo remembers what was predicted of a graph, so that configurations that are
// compiled to the same, such as those that differ in the way of reading a buffer only
// (Spec.Twins), are simulated once.
type memo struct {
	lock   sync.Mutex
	graphs map[[sha256.Size]byte]*remembered
}

// remembered is the prediction of a graph, made by the first one who asks.
type remembered struct {
	once sync.Once
	prediction
	err error
}

// of returns the prediction of a graph; predict makes it.
func (m *memo) of(g *idg.Graph, predict func() (prediction, error)) (prediction, error) {
	bare := *g
	bare.Source = idg.Source{} // no model looks at it, and it tells the parameters
	sum := sha256.New()
	if err := idg.Encode(sum, &bare); err != nil {
		return prediction{}, err
	}
	r := m.graph([sha256.Size]byte(sum.Sum(nil)))
	r.once.Do(func() { r.prediction, r.err = predict() })
	return r.prediction, r.err
}

func (m *memo) graph(sum [sha256.Size]byte) *remembered {
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.graphs == nil {
		m.graphs = map[[sha256.Size]byte]*remembered{}
	}
	if m.graphs[sum] == nil {
		m.graphs[sum] = &remembered{}
	}
	return m.graphs[sum]
}
