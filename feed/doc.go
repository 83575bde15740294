// Package feed is the core of the domain of Tideline: what a "following" feed is, and the types,
// rules and ports that the packages of the domain and the stores share. It imports the standard
// library only, so that all of it can be read, and tested, without a server.
//
// Package timeline reads feeds; publish changes posts; fanout brings them into inboxes, which
// package inbox makes and keeps complete; people has accounts and relations; subscribe tells
// viewers what is new; doctor finds what is wrong.
//
// # Vocabulary
//
// A content is anything that can stand in a feed: a post, a comment, a repost
// ([Post], told apart by [Kind]). Its publish time, ts, is in milliseconds since
// the epoch, UTC. A [Key] is (ts, content id), and feed order is newest first:
// larger ts first, and of equal ts the larger id, compared as numbers.
//
// An author's outbox is all his contents in feed order, in SQL, the source of
// truth. A viewer's inbox ([Inbox]) is a derived list of keys that followees'
// contents were pushed into: ids and times, never content. The sources of a
// viewer are the viewer himself and everyone he follows, less those he mutes or
// blocks and those who block him or hide from him. With an account all of its
// contents count as deleted, from the same moment on ([Profiles]).
//
// # The one rule
//
// Feed(viewer) is all contents of the viewer's sources that are not deleted and
// visible to him, in feed order; a page is a run of it. Written over the source
// of truth that is one query, the reference query ([Reference]): slow, always
// right, the oracle of the tests and what a read falls back to.
//
// # The read path
//
// Package timeline takes the inbox first and the viewer's relations after it.
// Keys above the inbox's floor come from a k-way merge of the inbox with the
// outboxes of the sources the inbox does not cover; keys at or below the floor
// come from the reference query, and so does everything while there is no inbox
// that may be trusted. A cursor carries the [Path] by which its page was served, so
// that the pages of one scroll fit together. Candidates are hydrated in bulk and judged by one
// predicate ([Judge]); what it hides is filled up from below, so a page is short
// only at the end of the feed.
//
// # The write path
//
// Publisher.Publish, of package publish, commits the content and an event in one transaction and
// then enqueues the event. Dispatch, of package fanout, stores the whole plan (the slices of
// follower ids) before a subtask is enqueued; the first stored plan wins.
// Push adds the key to the inboxes of one slice, with those of the author's other
// contents that wait for the same followers, and stores how far every reply succeeded,
// fenced by an attempt number. Sweep dispatches again whatever is not done in SQL,
// for ever, with back-off.
//
// # Invariants
//
//   - Every content with a key above the floor, by a covered source, is in the
//     inbox unless its push is pending. Whenever an entry is left out or trimmed
//     away the floor rises to its key; it falls only by a new build.
//   - Coverage is written down, never guessed from contents. A followee is covered
//     if his follow edge is not stamped later than the version the inbox is complete
//     up to, and his [Mark] allows it: one whose contents were pushed to active
//     followers only is covered by warm inboxes, and one of whom a push was skipped
//     by none.
//   - An inbox is warm while the viewer's lease of activity lasts that its header
//     knows of; a warm-up alone makes a cold one warm again.
//   - The publisher commits the content and then lists followers and activity; the
//     builder commits its mark (edge, lease, header) and then reads outboxes.
//     Whichever comes second sees the other, so a content may be delivered twice but
//     is not missed.
//   - Mute, hide, block and deletion are judged at read and never purge.
package feed
