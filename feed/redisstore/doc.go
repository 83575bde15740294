// Package redisstore keeps what Redis is good for: the viewers' inboxes
// ([NewInboxes]), also those of replays ([NewReplayInboxes]), and goes through them all.
// It keeps the numbers beside them that give lost data away ([NewPulses]), what hosts have
// upcoming and live ([NewSets]), snapshots of live feeds ([NewSnapshots]), tells processes
// of each other's evictions ([NewEvictions]), and counts for them together what clients
// spend ([NewBudgets]) and which documents they have sent ([NewTexts]). It also opens the
// connection ([Open]), on a single Redis, behind
// Sentinel or on a Cluster, and runs a Redis inside the process where none is
// configured ([OpenEmbedded]).
//
// # How an inbox is stored
//
// An inbox is two keys. The header is a hash with the fields state, token,
// generation, version, warm_until, started_at, floor_ts, floor_id and count; without a
// warm_until, as programs wrote it that knew of none, it is cold. The entries are a
// sorted set: the score is the publish time in milliseconds, the member the content
// id as 20 digits, so that Redis, which orders members of equal score as bytes,
// orders them as numbers. A score is a double and exact up to 2^53, which
// [feed.MaxTime] is well below and an id is not; that is why ids are members, and
// why the scripts compare them as text of equal length.
//
// Both names carry the viewer's id in braces, so that a Cluster keeps them in one
// slot, and every step on them is one script (lua/*.lua) or one command: nobody
// sees a header without its entries. Neither key ever expires. Should Redis lose
// one of the two all the same, the count in the header gives it away, and the inbox
// is absent until it is built again, or [Inboxes.Trim] clears its rest away.
//
// No list is kept of who has an inbox: [Inboxes.Walk] goes through the names of all
// keys, of headers and of entries, so that it meets the rests of broken inboxes too.
// Replay inboxes are the same under other names.
//
// # How live sessions are stored
//
// What a host has upcoming and live is one sorted set, whose scores are
// [live.Position.Score] and whose members are the ids of sessions as 20 digits: read from
// the highest score down, and of equal scores from the last member down, it is in feed
// order. The set's number is a member as well, "number:17", with an infinite score, so that
// it is read with the sessions, in the same command, and cannot be lost apart from them.
// Sets are written by one script, and end a week after their last change.
//
// A snapshot is one value, in a compact form of its own, which ends when its time is over.
// Both are derived: without them, the same is read from SQL.
package redisstore
