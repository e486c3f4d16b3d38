package export

import (
	"flag"
	"testing"

	"gpupipe/idg/idgtest"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// forms are all of them.
var forms = []idgtest.Form{{Name: "text", Write: Text}, {Name: "stats", Write: Stats}, {Name: "dot", Write: DOT}, {Name: "graphml", Write: GraphML}}

func TestGolden(t *testing.T) { idgtest.Golden(t, *update, forms) }

func TestWritersReportErrors(t *testing.T) {
	g := idgtest.Random{Lines: 400, Depth: 1, Trips: func() int { return 10 }, Ops: idgtest.Everything, AnyEdges: true}.Graph(t)
	idgtest.ReportsErrors(t, g, forms)
}
