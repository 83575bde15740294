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
// An inbox is one string, so that nothing can ever be lost of one but the whole. It begins
// with a head of 114 bytes: its state, generation, version, warm_until, the time at which
// its build began, and its token, as text. Behind that come records, each a key in 14
// bytes that are in feed order when they are compared as bytes, oldest first. The first
// record is the inbox's floor and the others are its entries. lua/layout.lua says it to
// the byte, and docs/adr/0002-redis-inbox-format.md why it is so.
//
// Nearly every push is of a key newer than all that an inbox has. It looks at the last 14
// bytes and appends 14 more: the head is neither read nor written. A read finds its place
// by halves and fetches what it returns in one piece. An inbox may hold a quarter more
// entries than its cap before it is written anew; the scripts take those beyond the cap
// for gone, and the newest of them for the floor.
//
// The name carries the viewer's id in braces, and every step on an inbox is one script
// (lua/*.lua) or one command. Where there is one server, a push takes 250 inboxes in
// one script; a Cluster would refuse that, since they are in many slots, and gets one
// script for each. Inboxes never expire.
//
// No list is kept of who has an inbox: [Inboxes.Walk] goes through the names of all
// keys, so that it meets what is no inbox too, such as what versions before this layout
// kept, and [Inboxes.Trim] clears that away. Replay inboxes are the same under other names.
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
