package examine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

func sentences() map[Reason]string {
	return map[Reason]string{
		Reason(feed.HiddenNotStored):     "it is not stored",
		Reason(feed.HiddenDeleted):       "it or its author's account is deleted",
		Reason(feed.HiddenNotFollowed):   "the viewer does not follow its author",
		Reason(feed.HiddenMuted):         "the viewer mutes its author",
		Reason(feed.HiddenAuthorAbsent):  "its author is absent: not arrived, or taken back by the source that owns users",
		Reason(feed.HiddenFromViewer):    "its author hides from the viewer",
		Reason(feed.HiddenBlocked):       "the viewer blocks its author",
		Reason(feed.HiddenBlockedBy):     "its author blocks the viewer",
		Reason(feed.HiddenPrivate):       "its author's account is private, and the viewer does not follow the author",
		Reason(feed.HiddenPrivateThread): "the account whose post it answers or shares is private, and the viewer does not follow it",
		Reason(feed.HiddenForFollowers):  "it is for the followers of another user, and the viewer is not one of them or is blocked, blocking or hidden from",
		Reason(feed.HiddenTakenDown):     "it is taken down, and only its author sees it",
		Reason(feed.HiddenSuspended):     "its author is suspended, and only they see their posts",
		Reason(feed.HiddenChainTooLong):  "the chain of reposts to it is too long",
		OtherKind:                        "its kind is left out",
		Own:                              "it is the viewer's own, and each read lists their outbox",
		Entry:                            "the inbox has it",
		PulledUnpushed:                   "reads pull its author, whose posts are not all pushed",
		PulledSelective:                  "reads pull its author, whose posts are pushed to active followers only, because the inbox is cold",
		PulledFollow:                     "reads pull its author, followed since the last update of the inbox",
		BelowFloor:                       "the reference query reads it, because the inbox is not complete down to it",
		NoInbox:                          "the reference query reads the whole feed, because no inbox can be used",
		Pending:                          "its push is pending, so reads do not show it yet",
		Missing:                          "the inbox lacks it, although it covers its author and the push is done; rebuild the inbox",
	}
}

// Words returns the reason as a sentence about a post.
func (r Reason) Words() string { return cmp.Or(sentences()[r], string(r)) }

// Reasons returns all reasons.
func Reasons() []Reason { return slices.Sorted(maps.Keys(sentences())) }

// Words returns the whole explanation in a sentence. name returns the public id of a post.
func (e Explanation) Words(name func(feed.PostID) feed.PublicID) string {
	switch {
	case e.Original != 0:
		return fmt.Sprintf("it reposts post %s: %s", name(e.Original), e.Reason.Words())
	case e.Reason == Entry && e.PushedAt == 0:
		return e.Reason.Words() + "; the time of its push is not stored"
	}
	return e.Reason.Words()
}
