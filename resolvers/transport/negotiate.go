package transport

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// Media types of responses. Clients that accept anything get the second.
const (
	mediaResponse = "application/graphql-response+json"
	mediaJSON     = "application/json"
	// mediaEvents is a stream of server-sent events.
	mediaEvents = "text/event-stream"
	// mediaMultipart is a stream of the parts of a subscription, by version 1.0 of Apollo's protocol.
	mediaMultipart   = "multipart/mixed"
	subscriptionSpec = "1.0"
)

// Streams reports whether a request, by its header, is for a stream of events or a socket.
func Streams(r *http.Request) bool {
	for _, choice := range r.Header["Accept"] {
		if choice = strings.ToLower(choice); strings.Contains(choice, mediaEvents) || strings.Contains(choice, "subscriptionspec") {
			return true
		}
	}
	return r.Header["Upgrade"] != nil
}

// negotiate returns the media type that an Accept header prefers, application/json by default;
// false if none is acceptable.
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

// offer returns the media type and weight of one element of an Accept header; empty for others.
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
	case mediaMultipart:
		if attributes["subscriptionspec"] == subscriptionSpec {
			return name, q
		}
	case "*/*", "application/*":
		return mediaJSON, q
	}
	return "", 0
}

func isUTF8(charset string) bool {
	return charset == "" || strings.EqualFold(charset, "utf-8") || strings.EqualFold(charset, "utf8")
}
