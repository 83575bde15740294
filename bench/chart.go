package bench

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// Chart is a chart of figures by the number of users, with logarithmic scales: constant costs are
// level lines, and costs proportional to the number of users are parallel to the diagonal.
type Chart struct {
	Title string
	// Unit is the unit of the figures.
	Unit   string
	Series []Series
}

// Series is one line of a chart.
type Series struct {
	Name string
	// Users and Figures are the points, in ascending order of users. Both must be above 0.
	Users, Figures []float64
}

// The chart's size and margins in pixels.
const (
	chartWidth, chartHeight = 680, 360
	marginLeft, marginRight = 84, 220
	marginTop, marginBottom = 48, 52
)

// lineColours has five colours, distinct for colour-blind readers too.
func lineColours() []string { return []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"} }

// decades is a scale from one power of ten to another, by their exponents.
type decades struct{ from, to int }

// spanning returns the smallest scale that includes all numbers.
func spanning(lists ...[]float64) decades {
	least, most := math.Inf(1), math.Inf(-1)
	for _, list := range lists {
		for _, n := range list {
			least, most = min(least, n), max(most, n)
		}
	}
	d := decades{int(math.Floor(math.Log10(least))), int(math.Ceil(math.Log10(most)))}
	if d.to == d.from {
		d.to++
	}
	return d
}

// at returns where a number lies on the scale, from 0 to 1.
func (d decades) at(n float64) float64 {
	return (math.Log10(n) - float64(d.from)) / float64(d.to-d.from)
}

// WriteSVG draws the chart.
func (c Chart) WriteSVG(w io.Writer) error {
	var users, figures [][]float64
	for _, s := range c.Series {
		users, figures = append(users, s.Users), append(figures, s.Figures)
	}
	d := drawing{x: spanning(users...), y: spanning(figures...)}
	d.frame(c)
	for i, s := range c.Series {
		d.line(s, lineColours()[i%len(lineColours())], i)
	}
	_, err := io.WriteString(w, d.svg.String()+"</svg>\n")
	return err
}

// drawing is a chart under construction.
type drawing struct {
	svg  strings.Builder
	x, y decades
}

func (d *drawing) left(users float64) float64 {
	return marginLeft + d.x.at(users)*(chartWidth-marginLeft-marginRight)
}

func (d *drawing) top(figure float64) float64 {
	return chartHeight - marginBottom - d.y.at(figure)*(chartHeight-marginTop-marginBottom)
}

func (d *drawing) add(format string, args ...any) { fmt.Fprintf(&d.svg, format+"\n", args...) }

// text draws text with its anchor (start, middle or end) at a point.
func (d *drawing) text(x, y float64, anchor, s string) {
	d.add(`<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, x, y, anchor, escape(s))
}

// escape escapes text for XML.
func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// frame draws everything except the lines.
func (d *drawing) frame(c Chart) {
	d.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" role="img">`, chartWidth, chartHeight)
	d.add(`<title>%s</title>`, escape(c.Title))
	d.add(`<rect width="%d" height="%d" fill="#ffffff"/>`, chartWidth, chartHeight)
	d.add(`<text x="%d" y="22" font-size="15" font-weight="bold">%s</text>`, marginLeft, escape(c.Title))
	d.text(marginLeft, marginTop-8, "start", c.Unit)
	bottom, right := d.top(math.Pow10(d.y.from)), d.left(math.Pow10(d.x.to))
	for e := d.x.from; e <= d.x.to; e++ {
		x := d.left(math.Pow10(e))
		d.add(`<line x1="%.1f" y1="%d" x2="%.1f" y2="%.1f" stroke="#dddddd"/>`, x, marginTop, x, bottom)
		d.text(x, bottom+18, "middle", power(e))
	}
	for e := d.y.from; e <= d.y.to; e++ {
		y := d.top(math.Pow10(e))
		d.add(`<line x1="%d" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#dddddd"/>`, marginLeft, y, right, y)
		d.text(marginLeft-8, y+4, "end", power(e))
	}
	d.text((marginLeft+right)/2, bottom+38, "middle", "users")
}

// power writes a power of ten.
func power(exponent int) string {
	switch {
	case exponent >= 6:
		return fmt.Sprintf("%.0f M", math.Pow10(exponent-6))
	case exponent >= 3:
		return fmt.Sprintf("%.0f k", math.Pow10(exponent-3))
	case exponent >= 0:
		return fmt.Sprintf("%.0f", math.Pow10(exponent))
	}
	return fmt.Sprintf("%.*f", -exponent, math.Pow10(exponent))
}

// labelAt returns the position of a line's figures, above and below it in turns, so that the
// figures of close lines stay readable.
func labelAt(place int) float64 {
	if place%2 == 0 {
		return -8
	}
	return 16
}

// line draws a series, with the figure at each of its points, and its name in the legend.
func (d *drawing) line(s Series, colour string, place int) {
	var points []string
	for i := range s.Users {
		x, y := d.left(s.Users[i]), d.top(s.Figures[i])
		points = append(points, fmt.Sprintf("%.1f,%.1f", x, y))
		d.add(`<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"/>`, x, y, colour)
		d.text(x+6, y+labelAt(place), "start", Number(s.Figures[i]))
	}
	d.add(`<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`, strings.Join(points, " "), colour)
	y := float64(marginTop + 20*place)
	d.add(`<rect x="%d" y="%.1f" width="12" height="12" fill="%s"/>`, chartWidth-marginRight+52, y, colour)
	d.text(chartWidth-marginRight+70, y+11, "start", s.Name)
}
