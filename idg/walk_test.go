package idg

import (
	"fmt"
	"strings"
)

// dependences lists what an instruction waits for, by kind: "data 1,2 order 4".
func dependences(from []Executed, kind []EdgeKind) string {
	var parts []string
	for k := Data; k <= Order; k++ {
		var list []string
		for i, u := range from {
			if kind[i] == k {
				list = append(list, fmt.Sprint(u))
			}
		}
		if len(list) > 0 {
			parts = append(parts, k.String()+" "+strings.Join(list, ","))
		}
	}
	return strings.Join(parts, " ")
}
