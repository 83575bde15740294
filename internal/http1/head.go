package http1

import (
	"bytes"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
)

// headEnd is what a head ends with, and lineEnd a line of it.
const (
	headEnd = "\r\n\r\n"
	lineEnd = "\r\n"
)

// methods are those of plain requests. A body has only the last.
func methods() [4]string {
	return [...]string{http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodPost}
}

// mayBePlain says whether bytes may be how a plain request begins, before its head is there as
// a whole. A line that ends with less than lineEnd has no place in one, but net/http takes it.
func mayBePlain(b []byte) bool {
	for at := 0; ; {
		i := bytes.IndexByte(b[at:], '\n')
		if i < 0 {
			break
		}
		if at += i; at == 0 || b[at-1] != '\r' {
			return false
		}
		at++
	}
	for _, method := range methods() {
		begin := method + " /"
		n := min(len(begin), len(b))
		if begin[:n] == string(b[:n]) {
			return true
		}
	}
	return false
}

// parse reads what the head says, to its headEnd, and says whether the request is plain. What
// is not different from the head before stays: where the request comes from, and most likely
// what it is for.
func (k *knownHead) parse() bool {
	text := string(k.text) // of which names and values are parts
	if !printable(text) {
		return false
	}
	first, rest, _ := strings.Cut(text, lineEnd)
	if !k.parseRequestLine(first) {
		return false
	}
	fields := strings.Count(rest, lineEnd) - 1
	if fields > fieldsMost {
		return false
	}
	k.request = http.Request{
		Method: k.request.Method, URL: &k.target, RequestURI: k.request.RequestURI, RemoteAddr: k.request.RemoteAddr,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: make(http.Header, fields), Body: http.NoBody,
	}
	values := make([]string, 0, fields)
	for rest != lineEnd {
		var line string
		line, rest, _ = strings.Cut(rest, lineEnd)
		var plain bool
		if values, plain = parseField(&k.request, line, values); !plain {
			return false
		}
	}
	if k.request.Host == "" {
		return false
	}
	length, plain := parseLength(&k.request)
	k.length, k.request.ContentLength = length, int64(length)
	return plain
}

// printable says whether a head has nothing in it but printable ASCII, tabs, and line ends.
func printable(text string) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\r':
			if i++; i == len(text) || text[i] != '\n' {
				return false
			}
		case (c < ' ' && c != '\t') || c > '~':
			return false
		}
	}
	return true
}

// parseRequestLine reads a method of a plain request, a path with or without a query, and the
// version.
func (k *knownHead) parseRequestLine(line string) bool {
	r := &k.request
	target, ok := strings.CutSuffix(line, " HTTP/1.1")
	if !ok {
		return false
	}
	var method, uri string
	for _, m := range methods() {
		if after, is := strings.CutPrefix(target, m+" "); is {
			method, uri = m, after
		}
	}
	if !strings.HasPrefix(uri, "/") || strings.ContainsAny(uri, " \t") {
		return false
	}
	if uri != r.RequestURI {
		parsed, err := url.ParseRequestURI(uri)
		if err != nil {
			return false
		}
		k.target = *parsed
	}
	r.Method, r.RequestURI = method, uri
	return true
}

// parseField reads one line of a header into a request. Its value goes behind values, of which
// all headers have their parts.
func parseField(r *http.Request, line string, values []string) ([]string, bool) {
	name, value, ok := strings.Cut(line, ":")
	if !ok || !isToken(name) {
		return nil, false // also what continues the line before
	}
	name, value = textproto.CanonicalMIMEHeaderKey(name), strings.Trim(value, " \t")
	switch name {
	case "Host":
		ok = r.Host == "" && isHost(value)
		r.Host = value
		return values, ok // which net/http keeps out of the header, too
	case "Content-Length":
		ok = r.Header[name] == nil
	case "Connection":
		ok = strings.EqualFold(value, "keep-alive")
	case "Transfer-Encoding", "Trailer", "Expect", "Upgrade",
		"Pragma": // of which net/http makes a Cache-Control
		ok = false
	}
	if before := r.Header[name]; before != nil {
		r.Header[name] = append(before, value)
		return values, ok
	}
	values = append(values, value)
	last := len(values)
	r.Header[name] = values[last-1 : last : last] // so that another value has a place of its own
	return values, ok
}

// parseLength returns how long the body of a request is. Without one only what has a length of
// no digits is plain, and with one only a POST.
func parseLength(r *http.Request) (int, bool) {
	told := r.Header["Content-Length"]
	if r.Method != http.MethodPost {
		return 0, told == nil
	}
	if told == nil || strings.Trim(told[0], "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(told[0]) // of digits it is an error when there are none, or too many
	return n, err == nil && n <= bodyMost
}

// isToken says whether a text is a token, as names of headers are (RFC 9110, 5.6.2).
func isToken(text string) bool {
	for _, c := range []byte(text) {
		if !isAlphanumeric(c) && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return text != ""
}

// isHost says whether a text has only what names of hosts, addresses and ports are made of.
func isHost(text string) bool {
	for _, c := range []byte(text) {
		if !isAlphanumeric(c) && strings.IndexByte(".-_:[]", c) < 0 {
			return false
		}
	}
	return text != ""
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
