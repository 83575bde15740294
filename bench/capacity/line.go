package capacity

// At returns the bytes of an inbox with the given number of entries.
func (l Line) At(entries float64) float64 { return l.Base + l.PerEntry*entries }

// Room returns the ratio of the measured bytes of inboxes to the bytes that the line predicts for
// their entries.
func (l Line) Room(entries, bytes []float64) float64 {
	var lying float64
	for _, n := range entries {
		lying += l.At(n)
	}
	return mean(bytes) * float64(len(bytes)) / lying
}

// LineThrough returns the least-squares line through the points. With fewer than two distinct x
// values, the line is level.
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
