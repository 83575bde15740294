// Package share lets calls that go on at once share round trips to a server, as a ferry does:
// while one is under way, whoever comes waits for the next, which takes all who wait. Nobody
// who finds nothing under way is held up, and no timer is waited for but behind a call that is
// slow ([Lanes.Patient]). The more there is to do, the less each call costs.
//
// Changes of one thing that many ask for at once share what it takes to change it in the same
// way ([Crowd]), or are made one after the other ([Turnstile]).
//
// Nothing is kept. A call begins after everybody whom it serves has asked, so each gets what
// a call of his own, begun at that moment, would have got.
package share
