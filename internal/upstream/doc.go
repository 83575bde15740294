// Package upstream reads contents, profiles and counters from the services that own them, by the
// protocol in api/tideline/v1.
//
// A [Service] asks one service. It answers from its cache, shares calls among concurrent readers of
// an object, and splits large requests. While the service fails, a circuit breaker keeps calls away,
// and expired answers serve for a while. It never returns an error: what it cannot answer is missing
// ([feed.Fetched]).
//
// What a feed contains never depends on a service. An answer that an object is gone becomes a change
// record ([Gone]); then the database hides it.
package upstream
