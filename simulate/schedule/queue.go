package schedule

import "gpupipe/idg"

// nodes is a heap of instructions, the first of the program on top.
type nodes []idg.NodeID

func (q nodes) Len() int           { return len(q) }
func (q nodes) Less(i, j int) bool { return q[i] < q[j] }
func (q nodes) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *nodes) Push(v any)        { *q = append(*q, v.(idg.NodeID)) }
func (q *nodes) Pop() any {
	v := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return v
}

// arrival is an instruction and the slot from which on its operands are there.
type arrival struct {
	node idg.NodeID
	at   int64
}

// arrivals is a heap by slot, then program order.
type arrivals []arrival

func (q arrivals) Len() int { return len(q) }
func (q arrivals) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].node < q[j].node
}
func (q arrivals) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *arrivals) Push(v any)   { *q = append(*q, v.(arrival)) }
func (q *arrivals) Pop() any {
	v := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return v
}
