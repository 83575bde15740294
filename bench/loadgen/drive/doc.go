// Package drive sends HTTP requests over a fixed number of connections and times them.
//
// There are two ways. A closed loop sends the next request on a connection once the
// answer to the last one is there: it finds out how much a server can do, and says little
// about how long anybody waits, because a slow server is asked less. An open loop sends at
// a rate, whatever the server does, and times every request from when it was due and not
// from when it was sent: a server that stands still for a second makes all who would have
// come in that second wait, and they are counted (without that, which is known as
// coordinated omission, the one request that hung would be all there is to see of it).
//
// Times are kept in HDR histograms, one a connection, from a microsecond to a minute with
// three digits.
//
// The client is made for being cheap, since it runs beside the server it measures:
// requests are bytes that were put together before, answers are read into one buffer a
// connection, and nothing is parsed but the status, the length and the body.
package drive
