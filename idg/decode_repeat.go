package idg

import "gpupipe/internal/diag"

// openBody is a repetition of which the body is being read.
type openBody struct {
	index int      // in Program.repeats
	start Executed // the first instruction that it executes
	edges int64    // dependences executed before it
}

// body reads the body of a repetition.
func (d *decoder) body(p *Program, depth int) openBody {
	b := openBody{len(p.repeats), Executed(p.length), p.edges}
	r := Repeat{First: StaticID(len(p.code))}
	if depth > 0 {
		r.Parent = RepeatID(d.bodies[depth-1].index + 1)
	}
	p.repeats = append(p.repeats, r)
	d.bodies = append(d.bodies, b)
	d.code(p, depth+1)
	d.bodies = d.bodies[:depth]
	return b
}

// repeat ends a repetition of which the body has been read.
func (d *decoder) repeat(p *Program, at Pos, b openBody, count int64) {
	r := &p.repeats[b.index]
	r.End, r.Count = StaticID(len(p.code)), count
	body, edges := p.length-int64(b.start), p.edges-b.edges
	switch {
	case count-1 > (MaxExecuted-p.length)/body:
		d.tooLong(at, "instructions", MaxExecuted)
	case edges > 0 && count-1 > (maxExecutedEdges-p.edges)/edges:
		d.tooLong(at, "dependences", maxExecutedEdges)
	default:
		p.length += (count - 1) * body
		p.edges += (count - 1) * edges
	}
}

func (d *decoder) tooLong(at Pos, what string, limit int64) {
	if d.err == nil {
		d.err = diag.Errorf(at, CodeLimit, "more than %d %s with repetitions expanded", limit, what).
			WithNote("smaller trip counts make a shorter program")
	}
}
