package idg_test

import (
	"flag"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/idgtest"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// forms are those of a document.
var forms = []idgtest.Form{
	{Name: "json", Write: idg.Encode},
	{Name: "folded", Write: idg.EncodeOptions{Fold: true}.Encode},
}

func TestGolden(t *testing.T) { idgtest.Golden(t, *update, forms) }

func TestWritersReportErrors(t *testing.T) {
	g := idgtest.Random{Lines: 400, Depth: 1, Trips: func() int {
		return 10
	}, Ops: idgtest.Everything, AnyEdges: true}.Graph(t)
	idgtest.ReportsErrors(t, g, forms)
}
