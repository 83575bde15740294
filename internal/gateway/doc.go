// Package gateway is what stands between the listener and the handlers: who asks
// (tokens, the session cookie, demo sign-in), what a browser may be tricked into
// (cross-site requests, framing, sniffing), and what is written down of a request
// (its id, the access log).
//
// The parts are ordinary middleware, each a function of the next handler. Their
// order from the outside in is
//
//	AssignRequestID → LogAccess → SecureHeaders → GuardCookies → Identify → handler
//
// where [GuardCookies] is for the API alone: around a page it would refuse who
// follows a link from a sister site. [RequireAdmin] stands inside [Identify] before
// a handler that is for administrators only; what that handler lets a browser change
// needs [http.CrossOriginProtection] around it. [Sessions] is mounted beside
// [Identify] rather than inside it, so that signing out works while the store of
// users does not.
//
// A request is refused with a JSON body in the shape of a GraphQL error, so that a
// GraphQL client needs one way of reading errors only.
package gateway
