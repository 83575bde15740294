// Package gateway is what stands between the listener and the handlers: who asks
// (tokens, the session cookie, demo sign-in), what a browser may be tricked into
// (cross-site requests, framing, sniffing), which other origins may use the API, and
// what is written down of a request (its id, the access log, a panic).
//
// The parts are ordinary middleware, each a function of the next handler. Their
// order from the outside in is
//
//	AssignRequestID → LogAccess → Recover → SecureHeaders → CORS → GuardCookies → Identify → handler
//
// where [CORS] and [GuardCookies] are for the API alone: around a page the second would
// refuse who follows a link from a sister site. An [Authenticator] decides who asks,
// for [Identify] and for sockets alike, by a [Verifier]: a shared secret ([Tokens]),
// the public keys of an identity provider ([KeySet]), or both ([Verifiers]).
//
// [RequireAdmin] stands inside [Identify] before a handler that is for administrators
// only, and [AllowAdminToken] outside of both for programs; what that handler lets a
// browser change needs [http.CrossOriginProtection] around it. [Sessions] is mounted
// beside [Identify] rather than inside it, so that signing out works while the store of
// users does not.
//
// A request is refused with a JSON body in the shape of a GraphQL error, so that a
// GraphQL client needs one way of reading errors only.
package gateway
