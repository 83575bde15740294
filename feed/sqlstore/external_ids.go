package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"

	"github.com/tideline-feeds/tideline/feed"
)

var _ feed.IDMap = (*Store)(nil)

// UseIDs implements [feed.IDMap]. Call it before the store is used concurrently. With a standby, it
// stores nothing.
func (s *Store) UseIDs(ctx context.Context, mode feed.IDMode) (feed.IDMode, error) {
	stored, err := rowOf[feed.IDMode](ctx, s, "SELECT ids FROM feed_state WHERE id = 1")
	switch {
	case err != nil || stored != "":
	case s.postgres.Standby:
		stored = feed.NumberIDs
	default:
		stored, err = s.chooseIDs(ctx, mode)
	}
	if err == nil && mode != "" && mode != stored {
		err = feed.IDModeDiffers(stored, mode)
	}
	s.textIDs = stored == feed.TextIDs
	return stored, err
}

// TextIDs reports whether ids are text. Call it after [Store.UseIDs].
func (s *Store) TextIDs() bool { return s.textIDs }

// chooseIDs stores a mode, unless another process has done so.
func (s *Store) chooseIDs(ctx context.Context, mode feed.IDMode) (feed.IDMode, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (feed.IDMode, error) {
		stored, err := one[feed.IDMode](tx.QueryRowContext(ctx, "SELECT ids FROM feed_state WHERE id = 1"+s.d.forUpdate))
		if err != nil || stored != "" {
			return stored, err
		}
		used, err := one[bool](tx.QueryRowContext(ctx, `
SELECT EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM contents) OR EXISTS (SELECT 1 FROM live_sessions)`))
		if err != nil {
			return "", err
		}
		stored = feed.NumberIDs
		if mode == feed.TextIDs && !used {
			stored = feed.TextIDs
		}
		return stored, exec(ctx, tx, "UPDATE feed_state SET ids = $1 WHERE id = 1", stored)
	})
}

// drawTries is how often new numbers are drawn because other ids have them, which is rare.
const drawTries = 10

// DrawIDs implements [feed.IDMap].
func (s *Store) DrawIDs(ctx context.Context, kind feed.IDKind, ids []feed.NumberedID) ([]int64, error) {
	for _, id := range ids {
		if err := id.ID.Check(); err != nil {
			return nil, err
		}
	}
	texts := mapped(ids, func(id feed.NumberedID) feed.ExternalID { return id.ID })
	numbers, err := s.FindIDs(ctx, kind, texts)
	for range drawTries {
		if err != nil || !slices.Contains(numbers, 0) {
			return numbers, err
		}
		if err = s.assign(ctx, kind, unassigned(ids, numbers)); err != nil {
			return nil, err
		}
		numbers, err = s.FindIDs(ctx, kind, texts)
		if err == nil && !slices.ContainsFunc(unassigned(ids, numbers), func(id feed.NumberedID) bool { return id.Number == 0 }) {
			return numbers, nil
		}
	}
	return nil, cmp.Or(err, errors.New("no number is left for an external id"))
}

// unassigned returns the ids whose number is 0, each once, with the wanted numbers. They are in the
// order in which all processes insert them, so that none waits for another in a circle.
func unassigned(ids []feed.NumberedID, numbers []int64) []feed.NumberedID {
	var list []feed.NumberedID
	for i, id := range ids {
		if numbers[i] == 0 {
			list = append(list, id)
		}
	}
	slices.SortFunc(list, func(a, b feed.NumberedID) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(b.Number, a.Number))
	})
	return slices.CompactFunc(list, func(a, b feed.NumberedID) bool { return a.ID == b.ID })
}

// assign stores the wanted numbers of ids, or else new ones. It stores none for an id that has one,
// and none that another id has.
func (s *Store) assign(ctx context.Context, kind feed.IDKind, ids []feed.NumberedID) error {
	next, err := s.newID()
	if err != nil {
		return err
	}
	for i := range ids {
		if ids[i].Number == 0 {
			ids[i].Number = int64(next) + int64(i)
		}
	}
	return s.inTx(ctx, func(tx *sql.Tx) error {
		_, err := s.d.insertRows(ctx, tx, "external_ids", "DO NOTHING", externalIDColumns(kind, ids)...)
		return err
	})
}

func externalIDColumns(kind feed.IDKind, ids []feed.NumberedID) []column {
	return []column{
		textColumn("kind", ids, func(feed.NumberedID) feed.IDKind { return kind }),
		textColumn("external", ids, func(id feed.NumberedID) feed.ExternalID { return id.ID }),
		intColumn("n", ids, func(id feed.NumberedID) int64 { return id.Number }),
	}
}

// FindIDs implements [feed.IDMap].
func (s *Store) FindIDs(ctx context.Context, kind feed.IDKind, ids []feed.ExternalID) ([]int64, error) {
	return s.findIDs(kind, ids, s.fetchIDs(ctx))
}

// readIDs runs a query for ids, whose only argument is a list.
type readIDs = func(text string, arg any) ([]feed.NumberedID, error)

func (s *Store) fetchIDs(ctx context.Context) readIDs {
	return func(text string, arg any) ([]feed.NumberedID, error) {
		return fetch(ctx, s, text, []any{arg}, scanExternalID())
	}
}

func (s *Store) findIDs(kind feed.IDKind, ids []feed.ExternalID, read readIDs) ([]int64, error) {
	numbers, places := make([]int64, len(ids)), map[string][]int{}
	var texts []string
	for i, id := range ids {
		// The databases would refuse or change a malformed id.
		if id.Check() != nil {
			continue
		}
		if text := string(id); places[text] == nil {
			texts = append(texts, text)
		}
		places[string(id)] = append(places[string(id)], i)
	}
	if len(texts) == 0 {
		return numbers, nil
	}
	found, err := read("SELECT e.external, e.n FROM "+s.d.texts(1, "r")+
		" JOIN external_ids AS e ON e.kind = '"+string(kind)+"' AND e.external = r.text", textList(s.d, texts))
	for _, id := range found {
		for _, i := range places[string(id.ID)] {
			numbers[i] = id.Number
		}
	}
	return numbers, err
}

// ExternalIDs implements [feed.IDMap].
func (s *Store) ExternalIDs(ctx context.Context, kind feed.IDKind, numbers []int64) ([]feed.ExternalID, error) {
	return s.externalIDs(kind, numbers, s.fetchIDs(ctx))
}

func (s *Store) externalIDs(kind feed.IDKind, numbers []int64, read readIDs) ([]feed.ExternalID, error) {
	found, err := read("SELECT external, n FROM external_ids WHERE kind = '"+string(kind)+"' AND "+s.d.in("n", 1), ids(s.d, numbers))
	byNumber := map[int64]feed.ExternalID{}
	for _, id := range found {
		byNumber[id.Number] = id.ID
	}
	return mapped(numbers, func(n int64) feed.ExternalID { return byNumber[n] }), err
}

func scanExternalID() func(scanner) (feed.NumberedID, error) {
	return into(func(id *feed.NumberedID) []any { return []any{&id.ID, &id.Number} })
}

// ownID returns the external id of an object that Tideline makes; empty where ids are numbers. The
// id must be assigned in the transaction that stores the object.
func (s *Store) ownID(number int64, given feed.ExternalID) feed.ExternalID {
	if !s.textIDs || given != "" {
		return ""
	}
	return feed.ExternalID(strconv.FormatInt(number, 10))
}

// assignOwn assigns an id of ownID, if there is one. It returns [feed.ErrIDTaken]
// if the id or the number is taken.
func (s *Store) assignOwn(ctx context.Context, tx *sql.Tx, kind feed.IDKind, id feed.ExternalID, number int64) error {
	if id == "" {
		return nil
	}
	n, err := s.d.insertRows(ctx, tx, "external_ids", "DO NOTHING", externalIDColumns(kind, []feed.NumberedID{{ID: id, Number: number}})...)
	if err == nil && n == 0 {
		err = feed.ErrIDTaken
	}
	return err
}
