package ingest_test

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"runtime"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
)

// placeholderStream are follows of users that have no record, each of two others. It reads the size
// of the heap on the way.
type placeholderStream struct {
	lines, next int
	rest        bytes.Buffer
	heap, most  uint64
}

func (s *placeholderStream) Read(b []byte) (int, error) {
	const reads = 10
	if s.rest.Len() == 0 {
		if s.next == s.lines {
			return 0, io.EOF
		}
		if s.next%(s.lines/reads) == 0 {
			s.measure()
		}
		_, _ = fmt.Fprintf(&s.rest, `{"type":"follow","follower":"auth0|%d","followee":"auth0|%d","createdAt":"2026-01-01T00:00:00Z","version":1}`+"\n",
			2*s.next, 2*s.next+1)
		s.next++
	}
	return s.rest.Read(b)
}

// measure reads the heap. The first third of the stream fills buffers and caches.
func (s *placeholderStream) measure() {
	var now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&now)
	if s.next <= s.lines/3 {
		s.heap = max(s.heap, now.HeapAlloc)
	}
	s.most = max(s.most, now.HeapAlloc)
}

// database has an endless number of ids, and keeps no record.
type database struct {
	feed.Ingester
	feed.IDMap
}

func (database) Ingest(_ context.Context, b feed.SourceBatch) (feed.Ingested, error) {
	return feed.Ingested{Applied: feed.Applied{Stored: len(b.Records)}}, nil
}

func (d database) DrawIDs(ctx context.Context, kind feed.IDKind, ids []feed.NumberedID) ([]int64, error) {
	texts := make([]feed.ExternalID, len(ids))
	for i, id := range ids {
		texts[i] = id.ID
	}
	return d.FindIDs(ctx, kind, texts)
}

func (database) FindIDs(_ context.Context, _ feed.IDKind, ids []feed.ExternalID) ([]int64, error) {
	numbers := make([]int64, len(ids))
	for i, id := range ids {
		sum := fnv.New64a()
		_, _ = io.WriteString(sum, string(id))
		numbers[i] = int64(sum.Sum64()>>1 | 1)
	}
	return numbers, nil
}

// The heap of a process does not grow with what a source names: a toy keeps numbers, placeholders or
// a whole stream. The limit is 12.5 bytes for each placeholder.
func TestLines_PlaceholdersFitInMemory(t *testing.T) {
	const lines, cached, limit = 60_000, 1_000, 1_500_000
	in := newIntake(t)
	in.Store = database{}
	in.Format.IDs = lrucache.NewIDs(database{}, cached, in.Clock)
	s := &placeholderStream{lines: lines}
	sum, err := in.Lines(t.Context(), s, "shop", ingest.Limits{})
	check(t, err)
	same(t, "the counts", []int{sum.Stored, sum.BadCount}, []int{lines, 0})
	if s.most > s.heap+limit {
		t.Errorf("the heap grew from %d to %d bytes", s.heap, s.most)
	}
	t.Logf("the heap had %d bytes after a third of the stream, and at most %d", s.heap, s.most)
}

// check ends the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// linesOf returns the records of a message, or "bad: " and the reason.
func linesOf(p ingest.Payloads, m ingest.Message) []string {
	list := []string{}
	for _, l := range p.Lines(&m) {
		if l.Bad != "" {
			list = append(list, "bad: "+l.Bad)
		} else {
			list = append(list, string(l.Text))
		}
	}
	return list
}

func TestPayloads_UnpackEvents(t *testing.T) {
	const envelope = `{"specversion":"1.0","id":"1","source":"/shop","type":"t",`
	binary := map[string]string{"ce_specversion": "1.0", "ce_type": "t"}
	for name, c := range map[string]struct {
		message ingest.Message
		want    []string
	}{
		"a record":           {ingest.Message{Payload: []byte(` {"type":"seen"} `)}, []string{`{"type":"seen"}`}},
		"an array":           {ingest.Message{Payload: []byte(`[{"a":1}, {"b":2}]`)}, []string{`{"a":1}`, `{"b":2}`}},
		"nothing":            {ingest.Message{}, []string{}},
		"structured":         {ingest.Message{Payload: []byte(envelope + `"data":{"a":1}}`)}, []string{`{"a":1}`}},
		"an array in one":    {ingest.Message{Payload: []byte(envelope + `"data":[{"a":1},{"b":2}]}`)}, []string{`{"a":1}`, `{"b":2}`}},
		"base64":             {ingest.Message{Payload: []byte(envelope + `"data_base64":"eyJhIjoxfQ=="}`)}, []string{`{"a":1}`}},
		"a batch":            {ingest.Message{Payload: []byte("[" + envelope + `"data":{"a":1}},` + envelope + `"data":{"b":2}}]`)}, []string{`{"a":1}`, `{"b":2}`}},
		"no data":            {ingest.Message{Payload: []byte(envelope + `"x":7}`)}, []string{}},
		"binary":             {ingest.Message{Payload: []byte(`{"a":1}`), Headers: binary}, []string{`{"a":1}`}},
		"another version":    {ingest.Message{Payload: []byte(`{"specversion":"2.0","data":{}}`)}, []string{`bad: CloudEvents of version "2.0" are not known; send version 1.0`}},
		"data of other type": {ingest.Message{Payload: []byte(envelope + `"datacontenttype":"text/xml","data":"<a/>"}`)}, []string{`bad: the data of the event is "text/xml", and must be JSON`}},
		"a broken array":     {ingest.Message{Payload: []byte(`[1,`)}, []string{"1", "bad: not a JSON array: the array has no end"}},
	} {
		t.Run(name, func(t *testing.T) { same(t, "the lines", linesOf(ingest.Payloads{}, c.message), c.want) })
	}
}
