package export

import (
	"bufio"
	"fmt"
	"math"

	"gpupipe/idg"
)

// listedKinds is how many kinds of groups are listed one by one.
const listedKinds = 16

// writeKinds lists the other kinds of groups, or sums them up.
func writeKinds(b *bufio.Writer, g *idg.Graph) {
	kinds := g.Kinds()
	section(b, "other kinds of groups", len(kinds))
	groups, all := int64(0), 0.0
	fewest, most := int64(math.MaxInt64), int64(0)
	for i, other := range g.GroupKinds()[1:] {
		k := &kinds[i]
		var instructions int64
		for n, times := range other.Graph.Executions() {
			instructions += times * k.Programs()[n].Len()
		}
		groups, all = groups+k.Groups, all+float64(k.Groups)*float64(instructions)
		fewest, most = min(fewest, instructions), max(most, instructions)
		if len(kinds) <= listedKinds {
			fmt.Fprintf(b, "  %-16s %s of %d, %s in a group\n", fmt.Sprintf("like number %d", k.Group),
				plural(k.Groups, "group"), g.Launch.TotalGroups(), plural(instructions, "instruction"))
		}
	}
	if len(kinds) > listedKinds {
		fmt.Fprintf(b, "  %-16s %s of %d, %d to %s in a group, %.0f on the average\n",
			fmt.Sprintf("%d kinds", len(kinds)), plural(groups, "group"), g.Launch.TotalGroups(), fewest,
			plural(most, "instruction"), all/float64(groups))
	}
}
