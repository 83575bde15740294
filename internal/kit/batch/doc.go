// Package batch combines concurrent calls to a server into batches, so that many callers share
// one round trip, one statement or one transaction.
//
// A [Batcher] runs batches. Two kinds of calls queue on it: a [Lookup] merges reads by key into
// one call that asks for each key once; [Calls] puts independent calls into one batch. If fewer
// batches than the limit are in flight, a call starts a batch at once. Otherwise it waits until
// a batch returns, and the next batch takes all waiting calls. Batches therefore grow with the
// load, and an idle server adds no delay. There is no timer, except behind a slow batch
// ([Batcher.Linger]).
//
// [GroupCommit] coalesces concurrent updates of one key into one transaction. [KeyedMutex]
// serializes updates of one key that cannot be merged.
//
// [Recent] lets any number of callers cost one read per period. Otherwise nothing is cached, and no caller joins a batch that has started. Each caller therefore gets
// what its own call, sent at the moment the batch starts, would have returned. That is why
// x/sync/singleflight does not fit: a caller there may get the result of a read that began
// before its own.
package batch
