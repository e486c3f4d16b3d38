package idg

import "math"

// longChain is the longest chain of a program of any length: its time and the sum
// of its instructions' λ.
type longChain struct{ time, issue int64 }

// longestChain finds the longest chain without expanding the program. Times are
// maxima of sums. So when all times that a loop's next iteration can look back at
// have moved by one amount since an earlier iteration, and nothing that does not
// move along has decided about any of them, they move by that amount forever: the
// remaining iterations are skipped. Resolved loops are like that, since each
// iteration waits for the loop instruction of the one before it. A program of
// which more than maxChainSteps instructions have to be looked at, or which looks
// back farther than its first and last iterations tell, is an error of code
// TOO-LARGE.
func longestChain(p *Program, completion, issue []int64) (longChain, error) {
	if p.length == 0 {
		return longChain{}, nil
	}
	e := newChains(p, completion, issue)
	e.sequence(0, StaticID(len(p.code)), 0)
	return e.best, e.err
}

func newChains(p *Program, completion, issue []int64) *chains {
	q := p.places()
	p.lags.Do(func() { p.lags.list = q.lags() })
	return &chains{
		walk: walk{p: p}, places: q, completion: completion, issue: issue,
		keep: p.lags.list, recent: make([][]started, len(p.code)), best: nothing,
	}
}

// ChainTime is the time of a program's longest chain, the Length of its
// CriticalPath, found without expanding repetitions and without saying which
// instructions are on it, and how many were looked at. Errors are those of CriticalPath, and of code TOO-LARGE where
// it cannot be found in this way.
func ChainTime(p *Program, c Costs) (time, looked int64, err error) {
	completion, issue, err := c.tables(p)
	if err != nil {
		return 0, 0, err
	}
	e := newChains(p, completion, issue)
	e.sequence(0, StaticID(len(p.code)), 0)
	return max(0, e.best.time), e.steps, e.err
}

// maxChainSteps bounds the instructions that are looked at one by one: a tenth of a
// second's work.
const maxChainSteps = 1 << 20

// nothing is before every chain.
var nothing = longChain{time: -1}

// started is an execution of a stored instruction.
type started struct {
	number Executed
	longChain
}

// latest is one of the last executed instructions, of any.
type latest struct {
	number                    Executed
	completed, passed, issues int64 // its end, the end of its λ, and the λ of the chain to it
}

// latestLen is how many of these are known, by number modulo as many.
const latestLen = 1 << 10

// chains executes a program for longestChain. A started's time is when it can
// issue.
type chains struct {
	walk
	places            *places
	completion, issue []int64
	keep              []int64     // by stored instruction: executions to keep
	recent            [][]started // by stored instruction: the last ones, oldest first
	latest            [latestLen]latest
	since             Executed  // the first one that may be among them: nothing has been skipped since
	levels            []level   // of the open repetitions
	found             []started // producers of an instruction: when they are satisfied
	steps             int64
	best              longChain // that ends last
	err               error
}

// level is what has happened in an open repetition since its snapshot.
type level struct {
	snapshot  []started // recent executions of the body
	number    Executed
	iteration int64
	best      longChain
	stayed    bool // something that stays has decided about a time
	outside   bool // something that moves along was before the repetition
}

// sequence executes stored instructions; the next repetition that may begin among
// them is given and the one behind them returned.
func (e *chains) sequence(first, end StaticID, repeat int) int {
	for s := first; s < end && e.err == nil; {
		if repeat < len(e.p.repeats) && e.p.repeats[repeat].First == s {
			s, repeat = e.p.repeats[repeat].End, e.repetition(repeat)
			continue
		}
		e.instruction(s)
		s++
	}
	return repeat
}

// repetition executes a repetition and returns the next one behind it. It
// compares iterations with snapshots, which are taken ever more rarely, so that
// periods of any length are found (Brent).
func (e *chains) repetition(index int) (next int) {
	r := &e.p.repeats[index]
	e.open = append(e.open, openRepeat{index: index, start: e.number})
	e.levels = append(e.levels, level{})
	depth := len(e.levels) - 1
	for i, patience := int64(0), int64(1); ; i++ {
		next = e.sequence(r.First, r.End, index+1)
		if e.err != nil || i == r.Count-1 {
			break
		}
		l := &e.levels[depth]
		period, skipped := i-l.iteration, false
		if i > 0 && r.Count-1-i >= period {
			if moved, ok := e.recurs(r, l); ok {
				times := (r.Count - 1 - i) / period
				e.skip(r, l, moved, times)
				i, skipped = i+period*times, true
				if i == r.Count-1 {
					break
				}
			}
		}
		if i == 0 || skipped || period >= patience {
			patience *= 2
			e.take(r, l, i)
		}
	}
	e.open, e.levels = e.open[:depth], e.levels[:depth]
	return next
}

// take takes a snapshot behind an iteration.
func (e *chains) take(r *Repeat, l *level, iteration int64) {
	*l = level{snapshot: l.snapshot[:0], number: e.number, iteration: iteration, best: nothing}
	for _, list := range e.recent[r.First:r.End] {
		l.snapshot = append(l.snapshot, list...)
	}
}

// recurs reports whether the times since the snapshot have all moved by one
// amount, and will go on to do so.
func (e *chains) recurs(r *Repeat, l *level) (moved longChain, ok bool) {
	if l.outside {
		return moved, false
	}
	n := 0
	for _, list := range e.recent[r.First:r.End] {
		for _, x := range list {
			if n == len(l.snapshot) {
				return moved, false
			}
			was := l.snapshot[n]
			by := longChain{x.time - was.time, x.issue - was.issue}
			if n == 0 {
				moved = by
			}
			if by != moved || x.number-was.number != e.number-l.number {
				return moved, false
			}
			n++
		}
	}
	return moved, n == len(l.snapshot) && moved.time >= 0 && (!l.stayed || moved == longChain{})
}

// skip executes what was executed since the snapshot again, so many times.
func (e *chains) skip(r *Repeat, l *level, moved longChain, times int64) {
	if moved.time > 0 && times > (math.MaxInt64-max(0, e.best.time))/moved.time ||
		moved.issue > 0 && times > (math.MaxInt64-max(0, e.best.issue))/moved.issue {
		e.err = errTooLong
		return
	}
	far := Executed(times) * (e.number - l.number)
	moved.time, moved.issue = moved.time*times, moved.issue*times
	for _, list := range e.recent[r.First:r.End] {
		for i := range list {
			list[i].number += far
			list[i].time += moved.time
			list[i].issue += moved.issue
		}
	}
	e.number += far
	e.since = e.number
	e.ends(longChain{l.best.time + moved.time, l.best.issue + moved.issue})
}

// ends takes notice of a chain. Of equally long ones the first counts.
func (e *chains) ends(c longChain) {
	if c.time > e.best.time {
		e.best = c
	}
	for i := range e.levels {
		if c.time > e.levels[i].best.time {
			e.levels[i].best = c
		}
	}
}

// instruction executes a stored instruction.
func (e *chains) instruction(s StaticID) {
	if e.steps++; e.steps > maxChainSteps {
		e.err = tooLarge(e.p.length, "instructions", MaxExpanded)
		return
	}
	row := e.p.StaticPreds(s)
	e.found = e.found[:0]
	own := started{number: e.number}
	for i := range row {
		from := e.satisfied(&row[i])
		if e.err != nil {
			return
		}
		e.found = append(e.found, from)
		if i == 0 || from.time > own.time || from.time == own.time && from.number < own.number {
			own = from
		}
	}
	for i := range row {
		e.look(&row[i], e.found[i], own.time)
	}
	class := e.p.StaticInstr(s)
	own.number = e.number
	own.issue += e.issue[class]
	if keep := int(e.keep[s]); keep > 0 {
		list := e.recent[s]
		if len(list) == keep {
			list = list[:copy(list, list[1:])]
		}
		e.recent[s] = append(list, own)
	}
	end := own.time + e.completion[class]
	e.latest[uint64(own.number)%latestLen] = latest{own.number, end, own.time + e.issue[class], own.issue}
	if end < 0 || own.issue < 0 {
		e.err = errTooLong
		return
	}
	e.ends(longChain{end, own.issue})
	e.number++
}

// satisfied returns a producer of the current instruction with the time from which
// on it holds nothing back.
func (e *chains) satisfied(d *Producer) started {
	u := e.producer(d)
	x := started{number: u}
	if l := &e.latest[uint64(u)%latestLen]; l.number == u && u >= e.since {
		x.time, x.issue = l.completed, l.issues
		if d.Kind == Order {
			x.time = l.passed
		}
	} else if !e.recall(&x, d.Kind) {
		e.err = tooLarge(e.p.length, "instructions", MaxExpanded)
	}
	if x.time < 0 {
		e.err = errTooLong
	}
	return x
}

// recall is satisfied for a producer that is not among the last executed
// instructions, if it is known.
func (e *chains) recall(x *started, k EdgeKind) bool {
	s := e.places.at(x.number)
	for i := len(e.recent[s]) - 1; i >= 0; i-- {
		if e.recent[s][i].number != x.number {
			continue
		}
		*x = e.recent[s][i]
		if k == Order {
			x.time += e.issue[e.p.StaticInstr(s)]
		} else {
			x.time += e.completion[e.p.StaticInstr(s)]
		}
		return true
	}
	return false
}

// look takes notice of what a producer means to the open repetitions, where the
// time that decides is given.
func (e *chains) look(d *Producer, from started, decides int64) {
	for i := range e.levels {
		inward := len(e.levels) - i // 1 = innermost
		switch {
		case d.Base == Absolute || int(d.Base) >= inward:
			e.levels[i].stayed = e.levels[i].stayed || from.time >= decides
		case from.number < e.open[i].start:
			e.levels[i].outside = true
		}
	}
}
