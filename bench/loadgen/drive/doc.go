// Package drive sends HTTP requests over a fixed number of connections and times them.
//
// A closed loop sends the next request on a connection after the response to the last one. It
// measures the throughput of a server, and says little about waiting times, because a slow server
// gets fewer requests. An open loop sends at a rate, whatever the server does, and times every
// request from when it was due. If a server stalls for a second, all requests due in that second
// count as slow; otherwise only the one that hung would, which is known as coordinated omission.
//
// Times are recorded in HDR histograms, one per connection, from a microsecond to a minute with
// three digits.
//
// The client must be cheap, since it shares the machine with the server that it measures: requests
// are prepared bytes, responses are read into one buffer per connection, and only the status, the
// length and the body are parsed.
package drive
