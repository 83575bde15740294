package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
)

// Dump is a file with records: all objects of the types that it has. It may be compressed.
type Dump struct{ Path string }

// Types implements [Source].
func (d *Dump) Types() feed.RecordTypes { return nil }

// Read implements [Source].
func (d *Dump) Read(ctx context.Context, _ feed.RecordTypes, each func(Made) error) (err error) {
	file, err := os.Open(d.Path)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, file.Close()) }()
	lines, err := records.Format{}.Lines(file)
	if err != nil {
		return err
	}
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := cmp.Or(ctx.Err(), each(Made{Text: slices.Clone(line.Text), From: fmt.Sprintf("line %d", line.Number)})); err != nil {
			return err
		}
	}
}

// Keys implements [Source].
func (d *Dump) Keys(line []byte) [][]byte {
	if key := records.KeyOf(line); key != nil {
		return [][]byte{key}
	}
	return nil
}

// Advice implements [Source].
func (d *Dump) Advice(_ feed.RecordType, from string) string {
	if from == "" {
		return "send the record with deletedAt"
	}
	return "send " + from + " again"
}

// Positions are where partitions of a source must be, by partition.
type Positions map[string]string

// ParsePositions reads texts like PARTITION:POSITION.
func ParsePositions(list []string) (Positions, error) {
	positions := Positions{}
	for _, text := range list {
		at := strings.LastIndexByte(text, ':')
		if at < 1 {
			return nil, fmt.Errorf("%q is not like PARTITION:POSITION", text)
		}
		positions[text[:at]] = text[at+1:]
	}
	return positions, nil
}

// Check returns an error if the source is at other positions.
func (p Positions) Check(ctx context.Context, stored feed.StoredSnapshot, source string) error {
	list, err := stored.Positions(ctx, source)
	if err != nil {
		return err
	}
	is := map[string]string{}
	for _, stored := range list {
		is[stored.Partition] = stored.Position
	}
	for partition, position := range p {
		if is[partition] != position {
			return fmt.Errorf("the partition %s of %s is applied up to %s and not to %s; make a dump while the source is quiet",
				partition, source, cmp.Or(is[partition], "nothing"), position)
		}
	}
	return nil
}
