package drive

import (
	"fmt"
	"io"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Result is the measurement of one run. Times are in microseconds: from sending in a closed loop,
// from the due time in an open loop.
type Result struct {
	Conns     int     `json:"conns"`
	Rate      float64 `json:"rate,omitempty"`
	Requests  int64   `json:"requests"`
	Errors    int64   `json:"errors"`
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"perSecond"`
	// BodyBytes is the mean size of a response body.
	BodyBytes int64   `json:"bodyBytes"`
	Mean      float64 `json:"meanMicros"`
	P50       int64   `json:"p50Micros"`
	P90       int64   `json:"p90Micros"`
	P99       int64   `json:"p99Micros"`
	P999      int64   `json:"p999Micros"`
	Max       int64   `json:"maxMicros"`
}

func newResult(l Load, times *hdrhistogram.Histogram, took time.Duration, bytes, failed int64) Result {
	n := times.TotalCount()
	r := Result{
		Conns: l.Conns, Rate: l.Rate, Requests: n, Errors: failed, Seconds: took.Seconds(),
		Mean: times.Mean(), P50: times.ValueAtQuantile(50), P90: times.ValueAtQuantile(90),
		P99: times.ValueAtQuantile(99), P999: times.ValueAtQuantile(99.9), Max: times.Max(),
	}
	if n > 0 {
		r.BodyBytes = bytes / n
		r.PerSecond = float64(n) / took.Seconds()
	}
	return r
}

// Write writes the result in readable form.
func (r Result) Write(w io.Writer) error {
	kind := "closed loop"
	if r.Rate > 0 {
		kind = fmt.Sprintf("open loop at %.0f/s", r.Rate)
	}
	ms := func(micros int64) float64 { return float64(micros) / 1000 }
	_, err := fmt.Fprintf(w, `%s, %d connections, %.1f s
requests   %d (%.0f/s), %d bad, %d bytes each
latency    p50 %.3f ms, p90 %.3f ms, p99 %.3f ms, p99.9 %.3f ms, max %.3f ms
`, kind, r.Conns, r.Seconds, r.Requests, r.PerSecond, r.Errors, r.BodyBytes,
		ms(r.P50), ms(r.P90), ms(r.P99), ms(r.P999), ms(r.Max))
	return err
}
