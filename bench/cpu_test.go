package bench_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// system is a group of processes whose CPU time is measured together.
type system struct {
	b *testing.B
	// programs are the process ids of the programs. redis and postmaster are those of their stores,
	// 0 for none.
	programs          []int
	redis, postmaster int
	// done waits until no work is pending. It is nil if there is never any.
	done func(context.Context) error
}

// cpuTime is cumulative CPU time in microseconds.
type cpuTime struct{ programs, redis, postgres float64 }

func (y *system) read() (c cpuTime) {
	y.b.Helper()
	for _, pid := range y.programs {
		c.programs += threadTime(y.b, pid)
	}
	if y.redis != 0 {
		c.redis = threadTime(y.b, y.redis)
	}
	if y.postmaster != 0 {
		c.postgres = postgresTime(y.b, y.postmaster)
	}
	return c
}

// each returns the CPU time per operation of do and of the pending work after it, in all processes
// and by kind of process. do returns the number of operations.
func (y *system) each(ctx context.Context, do func() (float64, error)) (map[string]float64, error) {
	y.b.Helper()
	before, began := y.read(), time.Now()
	n, err := do()
	if err == nil && y.done != nil {
		err = y.done(ctx)
	}
	if err != nil {
		return nil, err
	}
	elapsed, after := time.Since(began), y.read()
	programs, redis, postgres := (after.programs-before.programs)/n, (after.redis-before.redis)/n, (after.postgres-before.postgres)/n
	return map[string]float64{
		"": programs + redis + postgres, " programs": programs, " redis": redis, " postgres": postgres,
		" elapsed": float64(elapsed.Microseconds()) / n,
	}, nil
}

// threadTime returns the CPU time of the running threads of a process in microseconds. It is exact
// to the nanosecond, while /proc/PID/stat has units of ten milliseconds.
func threadTime(b *testing.B, pid int) (micros float64) {
	b.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/[0-9]*/schedstat", pid))
	must(b, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // the thread has ended meanwhile
		}
		nanos, err := scheduled(string(text))
		must(b, err)
		micros += nanos / 1000
	}
	return micros
}

// scheduled returns the nanoseconds on a processor from a line of schedstat.
func scheduled(line string) (float64, error) {
	first, _, _ := strings.Cut(line, " ")
	return strconv.ParseFloat(first, 64)
}

// postgresTime returns the CPU time of all processes of PostgreSQL in microseconds, including those
// of ended backends.
func postgresTime(b *testing.B, postmaster int) float64 {
	b.Helper()
	for {
		ended := processOf(b, postmaster).ended
		micros := threadTime(b, postmaster)
		for _, pid := range backends(b, postmaster) {
			micros += threadTime(b, pid)
		}
		// A backend that ends meanwhile would count twice or not at all.
		if processOf(b, postmaster).ended == ended {
			return micros + ended
		}
	}
}

// backends returns the process ids of the children of a process.
func backends(b *testing.B, parent int) (pids []int) {
	b.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	must(b, err)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended meanwhile
		}
		if parseProcess(b, raw).parent == parent {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			must(b, err)
			pids = append(pids, pid)
		}
	}
	return pids
}

// residentMegabytes returns the resident memory of a process.
func residentMegabytes(b *testing.B, pid int) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	must(b, err)
	pages, err := strconv.ParseFloat(strings.Fields(string(text))[1], 64)
	must(b, err)
	return pages * float64(os.Getpagesize()) / (1 << 20)
}
