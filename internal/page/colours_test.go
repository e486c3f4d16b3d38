package page

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Views of colours: linear RGB of what an eye sees. Deficiencies as of Machado, Oliveira, Fernandes 2009, severity 1.
var eyes = map[string][9]float64{
	"all cones":    {1, 0, 0, 0, 1, 0, 0, 0, 1},
	"no red":       {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
	"no green":     {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	"no blue":      {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
	"brightnesses": {0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722},
}

// Least distances of the colours of pipelines (Björn Ottosson's Oklab), and their least contrast with the ground (WCAG
// 2, 1.4.11). In grey the first ones differ; most kernels use no more.
const (
	leastDistance     = 0.06
	leastGreyDistance = 0.045
	apartInGrey       = 4
	apart             = 7
	leastContrast     = 3
)

// TestColours holds that pipelines can be told apart, in light and in dark, by all eyes and in grey.
func TestColours(t *testing.T) {
	blocks := regexp.MustCompile(`(?s)--ground:.*?--p7: #\w+`).FindAllString(Style(), -1)
	if len(blocks) != 3 || blocks[1] != blocks[2] {
		t.Fatalf("the style has %d sets of colours, light, dark and dark as chosen", len(blocks))
	}
	for i, name := range []string{"light", "dark"} {
		ground := colour(t, blocks[i], "ground")
		for a := range pipelineColours {
			ca := colour(t, blocks[i], fmt.Sprint("p", a))
			if c := contrast(ca, ground); c < leastContrast {
				t.Errorf("%s: p%d has a contrast of %.2f", name, a, c)
			}
			for b := range a {
				cb := colour(t, blocks[i], fmt.Sprint("p", b))
				for eye, m := range eyes {
					d, least := distance(seen(m, ca), seen(m, cb)), leastDistance
					if eye == "brightnesses" {
						least = leastGreyDistance
						if a >= apartInGrey {
							continue
						}
					}
					if d < least && a < apart {
						t.Errorf("%s, %s: p%d and p%d are %.3f apart", name, eye, b, a, d)
					}
				}
			}
		}
	}
}

const pipelineColours = 8 // as in assets/base.js

// colour is the linear RGB of a custom property.
func colour(t *testing.T, block, name string) (c [3]float64) {
	t.Helper()
	_, rest, ok := strings.Cut(block, "--"+name+": #")
	if !ok {
		t.Fatalf("no colour %s", name)
	}
	for i := range c {
		n, err := strconv.ParseUint(rest[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		v := float64(n) / 255
		if c[i] = v / 12.92; v > 0.04045 {
			c[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return c
}

func seen(m [9]float64, c [3]float64) (out [3]float64) {
	for i := range out {
		out[i] = math.Max(0, m[3*i]*c[0]+m[3*i+1]*c[1]+m[3*i+2]*c[2])
	}
	return out
}

func contrast(a, b [3]float64) float64 {
	y := func(c [3]float64) float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] + 0.05 }
	return max(y(a), y(b)) / min(y(a), y(b))
}

// distance is that of two colours in Oklab.
func distance(a, b [3]float64) float64 {
	x, y := oklab(a), oklab(b)
	return math.Sqrt((x[0]-y[0])*(x[0]-y[0]) + (x[1]-y[1])*(x[1]-y[1]) + (x[2]-y[2])*(x[2]-y[2]))
}

func oklab(c [3]float64) [3]float64 {
	l := math.Cbrt(0.4122214708*c[0] + 0.5363325363*c[1] + 0.0514459929*c[2])
	m := math.Cbrt(0.2119034982*c[0] + 0.6806995451*c[1] + 0.1073969566*c[2])
	s := math.Cbrt(0.0883024619*c[0] + 0.2817188376*c[1] + 0.6299787005*c[2])
	return [3]float64{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}
