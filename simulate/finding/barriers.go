package finding

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/simulate/cause"
	"gpupipe/simulate/remedy"
)

// barriers: of several in a loop all but one are removed, as two buffers in turn allow. Where there is one alone, all
// of
// a kernel's are, since what one no longer waits for the next would.
func barriers(r *Run) ([]trial, error) {
	share, top := 0.0, idg.Pos{}
	count := map[idg.Pos]int64{}
	most := int64(0)
	for i := range r.Result.Classes {
		if c := &r.Result.Classes[i]; c.Instr.IsBarrier() && c.Issued > 0 {
			count[c.Instr.Pos] += c.Issued
			most = max(most, count[c.Instr.Pos])
			if s := r.share(c.Instr.Pos, cause.Barrier); s > share {
				share, top = s, c.Instr.Pos
			}
		}
	}
	if share < Least {
		return nil, nil
	}
	together := 0
	for _, n := range count {
		if n == most {
			together++
		}
	}
	gone, all := func(pos idg.Pos) bool { return true }, true
	advice := "exchange values within a warp by shuffles, which need no barrier, or use smaller groups"
	if most > r.Result.Groups*r.Result.WarpsPerGroup && together > 1 && count[top] == most {
		gone, all = func(pos idg.Pos) bool { return count[pos] == most && pos != top }, false
		advice = "use two buffers in turn, so that one barrier per iteration is enough"
	}
	return r.remedied(nil, Finding{
		Pos:    top,
		What:   "warps wait at barriers for the slowest warp of their group",
		Proof:  fmt.Sprintf("%.0f%% of the time, longest at this one", 100*r.share(idg.Pos{}, cause.Barrier)),
		Remedy: advice, symptom: all,
	}, remedy.Change{Kind: remedy.Removed, Pick: func(in *idg.Instr) bool {
		return (in.IsBarrier() || in.Op == "fence" && count[in.Pos] > 0) && gone(in.Pos)
	}})
}
