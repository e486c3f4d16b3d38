package finding

import "fmt"

// extraTraffic: device memory moves more than the data that the launch touches.
func extraTraffic(r *Run) ([]trial, error) {
	t := r.Mapping.Traffic
	if t == nil || t.Partial {
		return nil, nil
	}
	all, least := t.ReadBytes+t.WrittenBytes, t.CompulsoryReadBytes+t.CompulsoryWrittenBytes
	if least == 0 || float64(all) < (1+Least)*float64(least) {
		return nil, nil
	}
	o := r.Options
	o.LeastTraffic = true
	m, err := r.Mapper.MapWith(r.Graph, o)
	if err != nil {
		return nil, err
	}
	x := r.trial(Finding{
		What:  "device memory moves data more often than once",
		Proof: fmt.Sprintf("%.3g times the bytes that the launch touches", float64(all)/float64(least)),
		Remedy: "let groups that run at the same time touch the same data: another order of the groups or loops, or " +
			"tiles that fit in L2",
	})
	x.Mapping = m
	return []trial{x}, nil
}
