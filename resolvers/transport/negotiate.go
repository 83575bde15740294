package transport

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// The media types of a response. The first tells by its status whether the operation
// began; the second is what clients that name nothing expect.
const (
	mediaResponse = "application/graphql-response+json"
	mediaJSON     = "application/json"
	// mediaEvents is a stream of responses, as server-sent events.
	mediaEvents = "text/event-stream"
)

// Streams reports whether a request may be answered with a stream of events or by taking over
// its connection: responses without a known end. It reads the header only.
func Streams(r *http.Request) bool {
	for _, choice := range r.Header["Accept"] {
		if strings.Contains(strings.ToLower(choice), mediaEvents) {
			return true
		}
	}
	return r.Header["Upgrade"] != nil
}

// negotiate returns the media type that the Accept header prefers. Without one, and
// where a wildcard leaves it open, it is application/json, which it also
// returns, with false, when none is acceptable.
func negotiate(accept []string) (mediaType string, ok bool) {
	if len(accept) == 0 {
		return mediaJSON, true
	}
	best := 0.0
	mediaType = mediaJSON
	for _, choice := range strings.Split(strings.Join(accept, ","), ",") {
		offered, q := offer(choice)
		if offered != "" && q > best {
			mediaType, best = offered, q
		}
	}
	return mediaType, best > 0
}

// offer returns which media type one choice of an Accept header leads to, and its
// weight; an empty type when it leads to none.
func offer(choice string) (mediaType string, q float64) {
	name, attributes, err := mime.ParseMediaType(choice)
	if err != nil || !isUTF8(attributes["charset"]) {
		return "", 0
	}
	q = 1
	if weight, given := attributes["q"]; given {
		if q, err = strconv.ParseFloat(weight, 64); err != nil {
			return "", 0
		}
	}
	switch name {
	case mediaResponse, mediaJSON, mediaEvents:
		return name, q
	case "*/*", "application/*":
		return mediaJSON, q
	}
	return "", 0
}

// isUTF8 says whether a charset attribute, which may be absent, means UTF-8.
func isUTF8(charset string) bool {
	return charset == "" || strings.EqualFold(charset, "utf-8") || strings.EqualFold(charset, "utf8")
}
