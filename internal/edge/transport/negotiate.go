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
	// mediaParts is a response in parts, by the draft of @defer that Apollo's clients name so. Clients
	// that name none, such as urql, read it too.
	mediaParts = "multipart/mixed;deferSpec=" + deferSpec
	deferSpec  = "20220824"
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

// negotiate returns the media type that an Accept header prefers, application/json by default, and
// whether a response with deferred fields should have parts; not ok if nothing is acceptable.
func negotiate(accept []string) (mediaType string, inParts, ok bool) {
	if len(accept) == 0 {
		return mediaJSON, false, true
	}
	best, parts := 0.0, 0.0
	mediaType = mediaJSON
	for _, choice := range strings.Split(strings.Join(accept, ","), ",") {
		switch offered, q := offer(choice); {
		case offered == mediaParts:
			parts = max(parts, q)
		case offered != "" && q > best:
			mediaType, best = offered, q
		}
	}
	return mediaType, parts > 0 && parts >= best, max(best, parts) > 0
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
		return offerMultipart(attributes), q
	case "*/*", "application/*":
		return mediaJSON, q
	}
	return "", 0
}

// offerMultipart returns the kind of multipart/mixed that a client reads; empty for an unknown one.
func offerMultipart(attributes map[string]string) string {
	subscriptions, given := attributes["subscriptionspec"]
	switch {
	case given && subscriptions == subscriptionSpec:
		return mediaMultipart
	case given, attributes["incrementalspec"] != "":
		return ""
	}
	if spec, given := attributes["deferspec"]; given && spec != deferSpec {
		return ""
	}
	return mediaParts
}

func isUTF8(charset string) bool {
	return charset == "" || strings.EqualFold(charset, "utf-8") || strings.EqualFold(charset, "utf8")
}
