package main

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"gpupipe/internal/test/browser"
	"gpupipe/internal/test/tools"
)

// apart is the part of a picture that may differ from the page: fonts and times are not the same everywhere.
const apart = 0.05

// TestPictures: the pictures of the documents show the pages as they are, and the pages can be printed.
func TestPictures(t *testing.T) {
	tools.Heavy(t)
	b, base := browser.Start(t), started(t)
	for _, c := range []struct{ name, address, ready string }{
		{"pipeview.png", "/#builtin=mmul", `document.querySelector("#report canvas") && !document.body.hasAttribute("aria-busy")`},
		{"lesson.png", "/lessons.html#latency-hiding&warps=10", `document.querySelector("section[data-points]")`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := b.Open(t, base+c.address, browser.View{Width: 1280, Height: 860})
			until(p, c.ready)
			p.Run(chromedp.Evaluate[chromedp.Void](`document.getElementById("status").textContent = "predicted"`))
			p.Settle()
			file := filepath.Join("..", "..", "docs", "guide", c.name)
			now := p.Window()
			if flag.Lookup("update").Value.String() == "true" {
				if err := os.WriteFile(file, now, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			before, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if d := difference(t, before, now); d > apart {
				t.Errorf("%.1f%% of the picture differ from the page: run with -update and look at it", 100*d)
			}
			p.Print(718)
			looked(p, "print-"+strings.TrimSuffix(c.name, ".png"))
			for _, wrong := range p.Misprints() {
				t.Errorf("on paper: %s", wrong)
			}
		})
	}
}

// difference is the part of two pictures' pixels whose brightness differs.
func difference(t *testing.T, a, b []byte) float64 {
	t.Helper()
	x, y := decoded(t, a), decoded(t, b)
	size := x.Bounds()
	if size != y.Bounds() {
		return 1
	}
	differ := 0
	for row := size.Min.Y; row < size.Max.Y; row++ {
		for column := size.Min.X; column < size.Max.X; column++ {
			if d := bright(x, column, row) - bright(y, column, row); d < -40 || d > 40 {
				differ++
			}
		}
	}
	return float64(differ) / float64(size.Dx()*size.Dy())
}

func decoded(t *testing.T, picture []byte) image.Image {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// bright is the mean of a pixel's colours, 0 to 255.
func bright(m image.Image, x, y int) int {
	r, g, b, _ := m.At(x, y).RGBA()
	return int(r+g+b) / 3 >> 8
}
