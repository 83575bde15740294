package apierror

import "github.com/tideline-feeds/tideline/feed"

// Entry describes a code for the developers of clients. docs/errors.md lists all entries.
type Entry struct {
	Code feed.Code
	// InErrors reports whether errors of a response have the code, and InPayloads userErrors.
	InErrors, InPayloads bool
	// Status lists the HTTP statuses of responses with the code.
	Status string
	// When says when the error occurs, and Do what the client should do about it.
	When, Do string
}

// Catalogue returns all codes that the API sends.
func Catalogue() []Entry {
	all := entries()
	return all[:]
}

// entries returns an array, which [Find] reads for each error without an allocation.
func entries() [19]Entry {
	return [...]Entry{
		{ParseFailed, true, false, "400, 200", "The document is not GraphQL.", "Fix the document."},
		{ValidationFailed, true, false, "400, 200", "The document or its variables do not match the schema, or introspection is off.", "Fix the document. Download the schema from `/schema.graphql`."},
		{UnknownDocument, true, false, "400, 200", "The server does not know the hash or the id of the document.", "Send the text of the document with its hash."},
		{TooComplex, true, false, "400, 200", "The operation exceeds the limit in the message, or its response exceeds 4 MiB.", "Ask for shorter pages, fewer fields, or less nesting."},
		{feed.CodeBadInput, true, false, "400, 200, 405, 406, 409, 413, 415", "An argument or a `Tideline-` header is outside its documented range, or the request is not GraphQL over HTTP.", "Fix the request."},
		{feed.CodeBadCursor, true, false, "400, 200", "The cursor is not one that this list returned.", "Read the list from its first page."},
		{feed.CodeSyncReset, true, false, "200", "A subscription cannot tell what has changed since its token.", "Drop the list, read its first page, and subscribe with the new token."},
		{feed.CodeUnauthenticated, true, false, "401, 200", "No user is signed in, or the token is invalid, expired or revoked.", "Sign in, then try again."},
		{feed.CodeForbidden, true, true, "403, 400, 200", "The viewer may not do this, the origin is not allowed, or the document is not trusted.", "Do not repeat the request."},
		{feed.CodeNotFound, true, true, "200, 404", "The object does not exist, or the viewer may not see it; or the reserved stream has ended.", "Remove the object from the screen; reserve another stream."},
		{feed.CodeInvalid, false, true, "200", "A value of the input breaks a rule of the schema.", "Show the message next to the field."},
		{feed.CodeTooLong, false, true, "200", "A value of the input is longer than the schema allows.", "Show the message next to the field."},
		{feed.CodeFollowLimit, false, true, "200", "The viewer already follows as many users as the server allows.", "Unfollow another user first."},
		{feed.CodeConflict, false, true, "200", "The change contradicts the current state: for example, the handle is taken or the session has ended.", "Read the object again, and show the message."},
		{RateLimited, true, false, "429, 200", "The viewer, the service or the address has used up its budget, or has too many operations or connections.", "Try again after the seconds in `Retry-After` or `extensions.retryAfter`."},
		{Timeout, true, false, "200", "The operation took longer than the server allows.", "Ask for less, or try again. A mutation may have taken effect."},
		{feed.CodeStale, true, false, "412, 200", "Within a second, the data did not reflect `Tideline-At-Least`. Nothing was done.", "Try again. If the code stays, the database was restored: read without the header."},
		{feed.CodeUnavailable, true, false, "503, 200", "The server is busy or stopping, or cannot reach a store or the identity provider.", "Try again after `Retry-After`, or after a random pause that grows. A mutation may have taken effect."},
		{feed.CodeInternal, true, false, "500, 200", "The server has a fault.", "Report `extensions.requestId` to the operator."},
	}
}

// Find returns the entry of a code; false if the API does not send it.
func Find(code feed.Code) (Entry, bool) {
	for _, e := range entries() {
		if e.Code == code {
			return e, true
		}
	}
	return Entry{}, false
}
