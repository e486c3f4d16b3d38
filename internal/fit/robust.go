package fit

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

const (
	// huber is where Huber's loss turns from squares to absolute values, in standard deviations: 95%
	// efficient for normal errors (Huber 1964).
	huber = 1.345
	// madToSigma is the standard deviation of a normal distribution whose median deviation is 1.
	madToSigma = 1.4826
	// outlier is how many standard deviations from the curve a sample is left out: of normal errors
	// one in 15,000.
	outlier = 4
	// leastSigma is a standard deviation, relative, below which errors are rounding.
	leastSigma = 1e-4
	// confidence is the half-width of an interval in standard errors: 95% of normal ones.
	confidence = 1.96
	// informative is by how much twice the loss must rise, in standard deviations squared, for a
	// number to be told by the samples: 99% of χ² with one degree of freedom.
	informative = 6.63
)

// configuration is what is resident on a compute unit.
type configuration struct {
	warps, chains int // and independent chains of each
	groupWarps    int // warps of a group
	every         int // the warps are every n-th of their group; 1 = all
}

// observation is one time and where it was measured.
type observation struct {
	configuration
	start float64 // from the first group's start to the last one's, cycles per instruction of a warp
	time  float64 // cycles per instruction of a warp
}

// curve predicts the time of an observation from parameters, which are logarithms.
type curve func(theta []float64, o *observation) float64

// solution is a robust fit.
type solution struct {
	theta    []float64 // logarithms
	errors   []float64 // standard errors of these
	sigma    float64   // of the relative errors
	loss     float64   // mean, in units of sigma squared
	used     []observation
	outliers int
}

// solve fits a curve: first by absolute errors, which need no scale, then by Huber's loss without outliers.
func solve(c curve, start []float64, all []observation) solution {
	s := solution{theta: minimize(func(t []float64) float64 { return absolute(c, t, all) }, start), used: all}
	for range 2 {
		s.sigma = deviation(c, s.theta, s.used)
		s.used = nil
		for _, o := range all {
			if math.Abs(residual(c, s.theta, &o)) <= outlier*s.sigma {
				s.used = append(s.used, o)
			}
		}
		s.theta = minimize(func(t []float64) float64 { return huberLoss(c, t, s.used, s.sigma) }, s.theta)
	}
	s.sigma = deviation(c, s.theta, s.used)
	s.loss = huberLoss(c, s.theta, s.used, s.sigma)
	s.outliers = len(all) - len(s.used)
	s.errors = standardErrors(c, s.theta, s.used, s.sigma)
	return s
}

// residual is the relative error of an observation, as a logarithm.
func residual(c curve, theta []float64, o *observation) float64 {
	return math.Log(o.time / c(theta, o))
}

func absolute(c curve, theta []float64, all []observation) float64 {
	sum := 0.0
	for i := range all {
		sum += math.Abs(residual(c, theta, &all[i]))
	}
	return sum / float64(len(all))
}

func huberLoss(c curve, theta []float64, all []observation, sigma float64) float64 {
	sum := 0.0
	for i := range all {
		sum += huberOf(residual(c, theta, &all[i]) / sigma)
	}
	return sum
}

// huberOf is Huber's loss of an error in standard deviations.
func huberOf(r float64) float64 {
	if r = math.Abs(r); r > huber {
		return huber * (r - huber/2)
	}
	return r * r / 2
}

// deviation is the standard deviation that the median of the absolute errors tells.
func deviation(c curve, theta []float64, all []observation) float64 {
	r := make([]float64, len(all))
	for i := range all {
		r[i] = math.Abs(residual(c, theta, &all[i]))
	}
	return max(madToSigma*median(r), leastSigma)
}

// median sorts its argument.
func median(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	slices.Sort(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// minimize is the simplex method of Nelder and Mead, again from where it ended: piecewise curves have
// edges at which it stops too early.
func minimize(f func([]float64) float64, start []float64) []float64 {
	return descend(f, start, 200*len(start))
}

// descend does so with at most so many evaluations each time.
func descend(f func([]float64) float64, start []float64, most int) []float64 {
	best, value := slices.Clone(start), f(start)
	for range 3 {
		r, err := optimize.Minimize(optimize.Problem{Func: f}, best, &optimize.Settings{
			FuncEvaluations: most, Converger: &optimize.FunctionConverge{Absolute: 1e-12, Relative: 1e-10,
				Iterations: 40},
		}, &optimize.NelderMead{SimplexSize: 0.1})
		if r == nil || err != nil && !slices.Contains([]optimize.Status{optimize.FunctionEvaluationLimit}, r.Status) {
			break
		}
		if r.F >= value {
			break
		}
		best, value = r.X, r.F
	}
	return best
}

// standardErrors are those of the parameters by the Jacobian; +Inf for what the observations do not tell.
func standardErrors(c curve, theta []float64, all []observation, sigma float64) []float64 {
	n := len(theta)
	j := mat.NewDense(max(len(all), 1), n, nil)
	const step = 1e-4
	for p := range theta {
		up, down := slices.Clone(theta), slices.Clone(theta)
		up[p] += step
		down[p] -= step
		for i := range all {
			j.Set(i, p, math.Log(c(up, &all[i])/c(down, &all[i]))/(2*step))
		}
	}
	var normal mat.SymDense
	normal.SymOuterK(1, j.T())
	errors := make([]float64, n)
	for p := range n {
		errors[p] = math.Inf(1)
	}
	var parts mat.EigenSym
	if !parts.Factorize(&normal, true) {
		return errors
	}
	var directions mat.Dense
	parts.VectorsTo(&directions)
	for p := range n {
		variance := 0.0
		for k, told := range parts.Values(nil) {
			switch along := directions.At(p, k) * directions.At(p, k); {
			case told > untold:
				variance += along / told
			case along > untold: // another parameter makes up for it, or no observation depends on it
				variance = math.Inf(1)
			}
		}
		errors[p] = sigma * math.Sqrt(variance)
	}
	return errors
}

// untold is a share of a direction of the parameters, and of what observations tell of it, that is rounding.
const untold = 1e-9
