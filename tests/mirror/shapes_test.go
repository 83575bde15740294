package mirror

import (
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// The mapping is the proposed one, unedited.
func TestMirror_ProposalGivesExactFeeds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, testenv.LogicalPostgres(t), rails())
	w.start()
	eventually.True(t, "the snapshot is complete", func() bool { return w.position() > 0 })
	w.check()
	w.change(300)
	w.check()
	w.equalWhileWriting()
}

func TestMirror_MirrorsStrangeTables(t *testing.T) {
	t.Parallel()
	w := newWorld(t, testenv.LogicalPostgres(t), nasty())
	p := w.start()
	eventually.True(t, "the snapshot is complete", func() bool { return w.position() > 0 })
	w.check()
	w.checkObjects(nastyObjects, nastyStored)
	for range 3 {
		w.change(100)
		w.check()
		w.checkObjects(nastyObjects, nastyStored)
	}
	w.equalWhileWriting()
	p.Kill()
	w.change(30)
	w.command("resnapshot")
	w.start()
	eventually.True(t, "the request is served", func() bool { return w.requests() == 0 })
	w.check()
	w.checkObjects(nastyObjects, nastyStored)
}
