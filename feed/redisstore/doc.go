// Package redisstore keeps data in Redis that processes share and can lose:
//
//   - the viewers' inboxes ([NewInboxes]) and replay inboxes ([NewReplayInboxes]), with the walk
//     through all of them;
//   - the numbers that reveal lost inboxes ([NewPulses]);
//   - the upcoming and live sessions of hosts ([NewSets]) and snapshots of live feeds
//     ([NewSnapshots]);
//   - announcements ([NewAnnouncements]) and the signal of new changes ([NewChangeSignal]) between
//     processes;
//   - rate limits ([NewBudgets]) and the texts of documents ([NewTexts]).
//
// [Open] connects to a single Redis, through Sentinel or to a Cluster. [OpenEmbedded] runs a
// Redis inside the process.
//
// # How an inbox is stored
//
// An inbox is one string, so only a whole inbox can be lost. It begins with a head of 114 bytes,
// as text: state, generation, version, warm_until, start of the build, and token. Records follow,
// each a key in 14 bytes that sort in feed order, oldest first. The first record is the inbox's
// floor and the others are its entries. lua/format.lua defines every byte, and
// docs/adr/0002-redis-inbox-format.md gives the reasons.
//
// Nearly every push has a key newer than the whole inbox. It reads the last 14 bytes and appends
// 14 more; it neither reads nor writes the head. A read finds its position by binary search and
// fetches its result in one piece. An inbox may hold a quarter more entries than its cap before
// it is rewritten. The scripts ignore the entries beyond the cap, and take the newest of them
// for the floor.
//
// The key has the viewer's id in braces, and every step on an inbox is one script (lua/*.lua) or
// one command. With one server a push sends 250 inboxes to one script. A Cluster refuses keys of
// several slots, so there each inbox gets its own script call. Inboxes never expire.
//
// There is no list of inboxes. [Inboxes.Walk] scans all keys, so it also meets keys of older
// versions, which [Inboxes.Trim] drops. Replay inboxes have the same form under other keys.
//
// # How live sessions are stored
//
// The upcoming and live sessions of a host are one sorted set. Scores are [live.Position.Score]
// and members are session ids as 20 digits: from the highest score down, and within one score
// from the last member down, they are in feed order. The set's number is a member too,
// "number:17" with an infinite score, so one command reads both and neither is lost alone. One
// script writes sets, and they expire a week after their last change.
//
// A snapshot is one value in a compact encoding, with an expiry. Sets and snapshots are derived:
// without them SQL is read.
package redisstore
