// Package feed is the core of the domain: the "following" feed, and the types, rules and ports
// that the packages of the domain and the stores share. It imports the standard library only, so
// it can be read and tested without a server.
//
// Package timeline reads home feeds, lists reads outboxes and comments, and viewercache caches
// what reads know about viewers. Package publish changes posts, fanout pushes them into inboxes,
// and inbox builds and maintains these. Package people has accounts and relations, subscribe
// sends new posts to viewers, live has live sessions, doctor compares inboxes with the
// reference query, and explain says why a post is in a feed.
//
// # Vocabulary
//
// A post is anything that a feed lists: a post proper, a comment or a repost ([Post], [Kind]).
// Its publish time is in milliseconds since the epoch, UTC. A [Key] is (publish time, post id).
// Feed order is by key, newest first: larger times first, and of equal times the larger id,
// compared as numbers.
//
// The outbox of an author is all of their posts in feed order. It is in SQL, the source of truth.
// The [Inbox] of a viewer is a derived list of keys that fan-outs have pushed: ids and times,
// never texts.
//
// The sources of a viewer are the viewer and the users they follow, without those who are muted,
// or blocked by either side, or who hide from the viewer. When an account is deleted, all of its
// posts count as deleted from the same moment ([Profiles]).
//
// An inbox has a floor: above that key it is complete. It is warm while it also covers authors
// with [FlagSelective], and cold from then on.
//
// # The feed
//
// Feed(viewer) is all posts by the viewer's sources that are not deleted and that the viewer may
// see, in feed order. A page is a run of it. Written over the source of truth, this is one SQL
// query, the reference query ([Reference]). It is slow and always right. Reads fall back to it,
// and tests compare with it.
//
// # Reads
//
// Package timeline reads the inbox first and the viewer's relations after it. Keys above the
// floor come from a merge of the inbox with the outboxes of the sources that the inbox does not
// cover. Keys at or below the floor come from the reference query, and so does the whole page if
// no inbox can be trusted. A cursor carries the [Path] that served its page, so that the pages of
// one scroll fit together. Posts are loaded in bulk, and one predicate ([Judge]) decides about
// each. Further posts replace those it hides, so a page is short only at the end of the feed.
//
// # Writes
//
// Package publish commits a post together with an event, and then enqueues the event. Dispatch,
// in package fanout, stores the whole plan (the slices of follower ids) before it enqueues any
// slice. The first stored plan wins. Push adds the key to the inboxes of one slice, together with
// further posts of the author that wait for the same followers. It stores its progress up to the
// last push that succeeded, fenced by an attempt number. Sweep dispatches again whatever is not
// done in SQL, with back-off and without end.
//
// # Ports
//
// The interfaces of this package are the ports between the domain and its stores. Every method
// honours its context and is safe for concurrent use. It returns an [Error] with
// [CodeUnavailable] if the store cannot be reached. A method that takes several ids returns
// results in the order of the ids, and takes an empty list without a round trip. All times are in
// milliseconds since the epoch. The suites in feedtest hold every implementation to the comments
// of the interfaces.
//
// # Invariants
//
//   - Every post with a key above the floor, by a covered source, is in the inbox unless its
//     push is pending. When an entry is left out or trimmed, the floor rises to its key. Only
//     a new build lowers it.
//   - Coverage is stored, never guessed from entries. An inbox that is complete up to a version
//     covers a followee if the version of the follow edge is not later, and if the author's
//     [CoverageFlag] allows it: [FlagSelective] needs a warm inbox, [FlagUnpushed] none covers.
//   - An inbox is warm until the end of the activity lease that its header holds. Only a
//     warm-up makes a cold inbox warm.
//   - The publisher commits the post and then lists followers and leases. The builder commits
//     its intent (edge, lease, header) and then reads outboxes. The later of the two sees the
//     other, so a post may be delivered twice but is not missed.
//   - Mutes, hides, blocks and deletions are judged at read. They remove no entries.
package feed
