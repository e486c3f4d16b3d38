package frontend

// noteRandom says what a call of cuRAND's curand_init leaves out (prelude.CURAND).
func (c *checker) noteRandom(f *funcInfo, pos Pos) {
	if f.Name == "curand_init" && f.Params[len(f.Params)-1].Type.Elem.Name == "curandStateXORWOW" && c.p.IsLibrary(f.Pos) && !c.noted[f.Name] {
		c.noted[f.Name] = true
		c.warnf(pos, codeIgnored, "curand_init is taken without the steps that skip to its sequence, which take most of its time where sequences differ")
	}
}
