// Package harness is the common code of the tests in tests/. They start the real program as its
// users do, import networks of users, and put the program under load. They compare its feeds with
// the tables of the database.
//
// [Server] is one process. Its methods send requests and end the test on an error. [Caller] sends
// requests to servers that may be dead, from any goroutine, and returns errors. [Load] is a group
// of clients that use a Caller continuously. [Oracle] computes feeds from the tables. [Trial]
// combines a load and an oracle.
package harness
