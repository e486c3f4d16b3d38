package export

import (
	"flag"
	"io"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/idgtest"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// drawDOT draws with the default options.
func drawDOT(w io.Writer, g *idg.Graph) error { return DOT(w, g, DOTOptions{}) }

// forms are all of them.
var forms = []idgtest.Form{
	{Name: "text", Write: Text}, {Name: "stats", Write: Stats}, {Name: "dot", Write: drawDOT},
	{Name: "graphml", Write: GraphML},
}

func TestGolden(t *testing.T) { idgtest.Golden(t, *update, forms) }

func TestWritersReportErrors(t *testing.T) {
	g := idgtest.Random{Lines: 400, Depth: 1, Trips: func() int {
		return 10
	}, Ops: idgtest.Everything, AnyEdges: true}.Graph(t)
	idgtest.ReportsErrors(t, g, forms)
}
