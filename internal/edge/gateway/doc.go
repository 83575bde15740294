// Package gateway protects the HTTP handlers: it authenticates clients (tokens, session cookie,
// demo sign-in), defends browsers (cross-site requests, framing, sniffing), controls which other
// origins can use the API, and observes requests (ids, access log, panics).
//
// Its parts are middleware. Their order, from the outside in, is
//
//	AssignRequestID → LogAccess → Recover → SecureHeaders → CORS → GuardCookies → Identify → handler
//
// [CORS] and [GuardCookies] are for the API only. Around a page, GuardCookies would refuse
// visitors who follow a link from a sister site. An [Authenticator] authenticates requests for
// [Identify] and sockets, by a [Verifier]: a shared secret ([Tokens]), the public keys of an
// identity provider ([KeySet]), or both ([Verifiers]).
//
// [RequireAdmin] goes inside [Identify], around handlers for administrators. [AllowAdminToken]
// goes outside of both, for programs. If such a handler lets browsers change anything, wrap it in
// [http.CrossOriginProtection]. [Sessions] does not go inside [Identify], so that users can sign
// out while the store of users is unavailable.
//
// Refusals have a JSON body in the form of a GraphQL error, so that clients handle only one
// format.
package gateway
