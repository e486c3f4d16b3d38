package view

import (
	"bytes"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/testdata/article"
)

// exampleName is what requests call the example of A (Fig. 1, Table 2), a graph with a device of its own.
const exampleName = "article"

func exampleGraph() (*idg.Graph, error) {
	return idg.Decode(bytes.NewReader(article.Graph), "example.json")
}

func exampleDevice() (*latencies.Device, error) {
	return latencies.ParseDevice("example.yaml", article.Device)
}
