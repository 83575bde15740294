package capacity

// At returns the bytes of an inbox with so many entries.
func (l Line) At(entries float64) float64 { return l.Base + l.PerEntry*entries }

// Room returns how many times as much inboxes take, by their entries and bytes, as they would
// on the line.
func (l Line) Room(entries, bytes []float64) float64 {
	var lying float64
	for _, n := range entries {
		lying += l.At(n)
	}
	return mean(bytes) * float64(len(bytes)) / lying
}

// LineThrough returns the line with the least squares of distances to the points. With fewer
// than two different x it is level.
func LineThrough(x, y []float64) Line {
	n := float64(len(x))
	if n == 0 {
		return Line{}
	}
	meanX, meanY := mean(x), mean(y)
	var across, along float64
	for i := range x {
		across += (x[i] - meanX) * (y[i] - meanY)
		along += (x[i] - meanX) * (x[i] - meanX)
	}
	if along == 0 {
		return Line{Base: meanY}
	}
	slope := across / along
	return Line{Base: meanY - slope*meanX, PerEntry: slope}
}

func mean(list []float64) (sum float64) {
	for _, v := range list {
		sum += v
	}
	return sum / float64(len(list))
}
