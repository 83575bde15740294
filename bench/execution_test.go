package bench_test

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// execution measures requests per second of two handlers in one process. One runs all layers above
// the domain on a domain in memory; the other writes the same bytes. The benchmark is built before
// the measurement.
func (s *site) execution(t timing) contender {
	s.b.Helper()
	program := filepath.Join(s.b.TempDir(), "program.test")
	build := exec.CommandContext(s.b.Context(), "go", "test", "-c", "-o", program, ".")
	build.Dir = filepath.Join("..", "internal", "app")
	if out, err := build.CombinedOutput(); err != nil {
		s.b.Fatalf("go test -c: %v\n%s", err, out)
	}
	line := regexp.MustCompile(`(?m)^BenchmarkHomePage/(\w+)\S*\s+\d+\s+([\d.]+) ns/op`)
	return contender{"execution", func(ctx context.Context) (map[string]float64, error) {
		cmd := exec.CommandContext(ctx, program, "-test.run", "^$", "-test.bench", "^BenchmarkHomePage$/^(prebuilt|execution)$",
			"-test.benchtime", t.load.String())
		cmd.Dir = build.Dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("%w\n%s", err, tail(out))
		}
		got := map[string]float64{}
		for _, m := range line.FindAllStringSubmatch(string(out), -1) {
			took, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				return nil, err
			}
			suffix := map[string]string{"execution": "", "prebuilt": " prebuilt"}[m[1]]
			got[suffix] = float64(time.Second.Nanoseconds()) / took
		}
		if len(got) != 2 {
			return nil, fmt.Errorf("the benchmark of the home page printed no two results:\n%s", tail(out))
		}
		return got, nil
	}}
}
