// Package harness is what the tests in tests/ share: they start the real program as its users
// do, fill it with networks of users, put it under load, and compare its feeds with the tables
// of the database.
//
// [Server] is one process and the requests that tests send it; its methods end the test if a
// request fails. [Caller] sends requests to servers that may be dead, from any goroutine, and
// returns errors. [Load] is clients that use a Caller all the time; [Oracle] knows what feeds
// must hold; [Trial] has both.
package harness
