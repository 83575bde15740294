// Package guard decides what an operation may ask for before anything is done for it.
//
// [Guard] is an extension of gqlgen's executor. It finds the document that a request
// names ([Manifest] for those the operator trusts, [Texts] for those that clients have
// sent before), parses it, and measures it: what its validation would compare, and what
// its execution would load at most. [Limits] says how much of either is too much. All of
// this comes before validation, whose own time a document can make grow with the square
// of its length, and it is linear itself: a fragment is looked at once, however often it
// is spread, and numbers stop growing at [Endless].
//
// What an operation would load, its cost, is then taken from the budgets of whoever asks
// ([Rate]). While it runs it holds one of a fixed number of places; when all are taken it
// is turned away rather than kept waiting. Each event of a subscription is charged as the
// operation was, and waits for such a place ([Guard.Event]).
package guard
