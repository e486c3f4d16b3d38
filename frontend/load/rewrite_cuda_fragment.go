package load

import (
	"strconv"

	"gpupipe/frontend/tensor"
)

// fragment rewrites wmma::fragment<use, m, n, k, type, layout> to the macro's call.
func (r *rewriter) fragment(i, n int) bool {
	gt := r.angle(n)
	if gt < 0 {
		return false
	}
	args := r.arguments(n, gt)
	if len(args) < 5 {
		return false
	}
	known := true
	var numbers [3]int
	for k := range 3 {
		a := args[k+1]
		of := a[len(a)-1]
		text := r.At(of)
		if words, ok := r.l.ConstantWords(text); ok && len(words) == 1 {
			text = words[0]
			r.replace(of, text)
		}
		numbers[k], _ = strconv.Atoi(text) // 0: a macro's name, say
	}
	element := args[4]
	last := element[len(element)-1]
	text := r.At(last)
	if len(element) > 1 && (r.Is(element[len(element)-2], "signed") || r.Is(element[len(element)-2], "unsigned")) {
		text = r.At(element[len(element)-2]) + " " + text
		r.replace(element[len(element)-2], "")
	}
	if word := tensor.Word(text); word != "" {
		known = tensor.Exists(r.At(args[0][len(args[0])-1]) == "accumulator", word, numbers)
		r.replace(last, word)
	} else if r.l.Words.Types[text] || text == "u4" || text == "s4" || text == "b1" {
		known = false
	}
	if !known {
		r.unsupported(i, "a fragment of this shape or type is", tensor.Advice)
		return true
	}
	r.replace(i, tensor.Macro)
	r.replace(n, "(")
	r.replace(gt, ")")
	return true
}

// arguments are the tokens of the template arguments between < at n and > at gt.
func (r *rewriter) arguments(n, gt int) (args [][]int) {
	var one []int
	for k := r.Next(n); k < gt; k = r.Next(k) {
		if r.Is(k, ",") {
			args, one = append(args, one), nil
			continue
		}
		one = append(one, k)
	}
	return append(args, one)
}
