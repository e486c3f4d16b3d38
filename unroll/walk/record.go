package walk

import "gpupipe/lower/machine"

type recorder struct{}

func (*recorder) instr(w *warp, id int32, in *machine.Instr, lanes uint64) {}
func (*recorder) iteration(f *follower)                                    {}
func (*recorder) again(f *follower, times int64) int64                     { return times }
func (*recorder) endLoop(f *follower)                                      {}
