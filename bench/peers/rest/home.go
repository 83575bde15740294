package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"strconv"
	"strings"

	"github.com/golang-jwt/jwt/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
)

// pageSize is the number of posts of a page.
const pageSize = 20

// home serves pages of the home feed.
type home struct {
	redis  *redis.Client
	sql    *pgxpool.Pool
	secret []byte
}

// ServeHTTP responds with a page. The parameter "before" is the "next" of the page above it.
func (h *home) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	viewer, err := h.viewer(r)
	if err != nil {
		http.Error(w, "sign in", http.StatusUnauthorized)
		return
	}
	body, err := h.page(r.Context(), viewer, r.FormValue("before"))
	if err != nil {
		log.Print(err)
		http.Error(w, "try again later", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = io.Copy(w, bytes.NewReader(body)) // a client that has left needs no page
}

// viewer returns the user id of the request's token.
func (h *home) viewer(r *http.Request) (string, error) {
	text, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !found {
		return "", errors.New("the request has no token")
	}
	var claims jwt.RegisteredClaims
	_, err := jwt.ParseWithClaims(text, &claims, func(*jwt.Token) (any, error) { return h.secret, nil },
		jwt.WithValidMethods([]string{"HS256"}), jwt.WithExpirationRequired())
	return claims.Subject, err
}

// page returns the JSON of a page.
func (h *home) page(ctx context.Context, viewer, before string) ([]byte, error) {
	entries, err := h.entries(ctx, viewer, before)
	if err != nil {
		return nil, err
	}
	more := len(entries) > pageSize
	entries = entries[:min(pageSize, len(entries))]
	ids := make([]string, len(entries))
	for i, e := range entries {
		digits, _ := e.Member.(string)
		ids[i] = strings.TrimLeft(digits, "0")
	}
	posts, counters, err := h.load(ctx, ids)
	if err != nil {
		return nil, err
	}
	next := ""
	if more {
		next = strconv.FormatInt(int64(entries[pageSize-1].Score), 10)
	}
	return encode(posts, counters, next), nil
}

// entries returns the newest entries published before a time, one more than a page has.
func (h *home) entries(ctx context.Context, viewer, before string) ([]redis.Z, error) {
	key := "peer:inbox:" + viewer
	if before == "" {
		return h.redis.ZRevRangeWithScores(ctx, key, 0, pageSize).Result()
	}
	return h.redis.ZRevRangeByScoreWithScores(ctx, key, &redis.ZRangeBy{Min: "-inf", Max: "(" + before, Count: pageSize + 1}).Result()
}

// encode writes a page. It leaves out posts that are "", and counts nothing for counters of "".
func encode(posts, counters []string, next string) []byte {
	size := 64
	for _, p := range posts {
		size += len(p) + 64
	}
	out := append(make([]byte, 0, size), `{"posts":[`...)
	first := true
	for i, p := range posts {
		if p == "" {
			continue
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		out = append(append(out, `{"post":`...), p...)
		out = appendCounters(append(out, `,"counters":`...), counters[i])
		out = append(out, '}')
	}
	out = append(out, `],"next":`...)
	return append(strconv.AppendQuote(out, next), '}')
}

// appendCounters writes counters that are stored with commas between.
func appendCounters(out []byte, stored string) []byte {
	for i, name := range [...]string{`{"likes":`, `,"comments":`, `,"reposts":`, `,"favorites":`} {
		var count string
		count, stored, _ = strings.Cut(stored, ",")
		if count == "" {
			count = "0"
		}
		out = append(append(out, name...), count...)
		if i == 3 {
			out = append(out, '}')
		}
	}
	return out
}
