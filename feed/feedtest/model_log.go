package feedtest

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// logPlaces are the places up to which the two logs were compared.
type logPlaces struct {
	backend, model feed.ChangePlace
	// purging is the value of modelTest.purging at that time.
	purging bool
}

// compareLogs runs after every step. It checks that both logs have the same new rows for the users of
// this case. While an account is being purged, the two stores may not have ended the same relations.
func (m *modelTest) compareLogs(t *rapid.T) {
	before := m.logged
	var got, want []feed.Change
	got, m.logged.backend = m.newRows(t, m.backend, before.backend)
	want, m.logged.model = m.newRows(t, m.model, before.model)
	m.logged.purging = m.purging
	failIf(t, !before.purging && !m.purging && !slices.Equal(got, want), "the step has logged %+v, the model says %+v", got, want)
}

// startLogs makes the present the places from which logs are compared.
func (m *modelTest) startLogs(t *rapid.T) {
	m.logged = logPlaces{m.lastChange(t, m.backend), m.lastChange(t, m.model), m.purging}
}

func (m *modelTest) lastChange(t *rapid.T, s Stores) feed.ChangePlace {
	for {
		more, last := must2(s.Numberer.NumberChanges(m.ctx, many))
		if !more {
			return last
		}
	}
}

// newRows returns the rows after a place, without their numbers and in an order of its own, and the
// place of the last.
func (m *modelTest) newRows(t *rapid.T, s Stores, since feed.ChangePlace) ([]feed.Change, feed.ChangePlace) {
	m.lastChange(t, s)
	list, next := must2(s.Changes.ChangesOf(m.ctx, m.users, since, many))
	list = withoutNumbers(list)
	slices.SortFunc(list, byContent)
	return list, next
}
