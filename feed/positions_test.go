package feed_test

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

func TestParseAtLeast_RefusesOtherTexts(t *testing.T) {
	token := feed.CommitPlace{Epoch: 7, Number: 9}.String()
	for _, text := range []string{
		"", "x", token + ",", token[1:], token + "A", token + "\n" + token, "orders/0", "orders/0:", "/0:1", "orders/0:-1", "orders/0:1x",
		"orders/0:1-", "orders/0:1/", "orders/0:1/G", "orders/0:1/100000000", "orders/0:99999999999999999999", "orders:1", strings.Repeat(token+",", 16) + token,
		feed.SyncToken{Viewer: 1}.String(), feed.Cursor{Kind: feed.FeedHome, Key: feed.Key{TS: 1, ID: 1}}.String(),
	} {
		if need, err := feed.ParseAtLeast(text); feed.CodeOf(err) != feed.CodeBadInput {
			t.Errorf("%q is read as %+v, %v", text, need, err)
		}
	}
	need, err := feed.ParseAtLeast(token + " , a/b/c:d:1-2")
	if err != nil || need.Commits[0] != (feed.CommitPlace{Epoch: 7, Number: 9}) ||
		need.Sources[0] != (feed.SourcePosition{Source: "a", Partition: "b/c:d", Position: "1-2"}) {
		t.Errorf("got %+v, %v", need, err)
	}
	need, err = feed.ParseAtLeast("mirror/0:1A/16B3748")
	if err != nil || need.Sources[0].Position != "111692953416" {
		t.Errorf("an LSN is read as %+v, %v", need, err)
	}
}

func TestSourcePosition_ReachedByPositionWithMoreNumbers(t *testing.T) {
	for position, want := range map[string]bool{"17-3": true, "18-0": true, "17": true, "16-9": false, "x": false} {
		if got := (feed.SourcePosition{Position: "17"}).ReachedBy(position); got != want {
			t.Errorf("17 is reached by %s: %v", position, got)
		}
	}
	if (feed.SourcePosition{Position: "17-3"}).ReachedBy("17") {
		t.Error("17-3 is reached by 17")
	}
}
