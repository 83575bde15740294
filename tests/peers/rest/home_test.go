package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/golang-jwt/jwt/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

const secret = "the secret of the tests"

// tables are the columns that the peer reads.
const tables = `
CREATE TABLE users (id BIGINT PRIMARY KEY, handle TEXT, name TEXT, avatar_url TEXT);
CREATE TABLE contents (id BIGINT PRIMARY KEY, author_id BIGINT, kind TEXT, text TEXT, published_at BIGINT, deleted_at BIGINT);
INSERT INTO users VALUES (7, 'bob', 'Bob', '');
INSERT INTO contents SELECT n, 7, 'POST', 'text ' || n, n, 0 FROM generate_series(1, 25) AS n;
UPDATE contents SET deleted_at = 1 WHERE id = 24;`

// start returns a server whose user 9 has posts 1 to 25 in their inbox.
func start(t *testing.T) (*home, *miniredis.Miniredis) {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), testenv.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	if _, err := pool.Exec(t.Context(), tables); err != nil {
		t.Fatal(err)
	}
	m := miniredis.RunT(t)
	for n := range 25 {
		if _, err := m.ZAdd("peer:inbox:9", float64(n+1), fmt.Sprintf("%020d", n+1)); err != nil {
			t.Fatal(err)
		}
	}
	client := redis.NewClient(&redis.Options{Addr: m.Addr()})
	t.Cleanup(func() { _ = client.Close() })
	return &home{redis: client, sql: pool, secret: []byte(secret)}, m
}

func (h *home) get(t *testing.T, path, token string) (int, string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

func token(t *testing.T, key string, expires time.Time) string {
	t.Helper()
	claims := jwt.RegisteredClaims{Subject: "9", ExpiresAt: jwt.NewNumericDate(expires)}
	text, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString([]byte(key))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestHome_ServesPagesOfInbox(t *testing.T) {
	h, m := start(t)
	if err := m.Set("peer:counters:25", "3,2,1,0"); err != nil {
		t.Fatal(err)
	}
	valid := token(t, secret, time.Now().Add(time.Hour))
	// The second time all posts come from Redis.
	for _, from := range []string{"SQL", "Redis"} {
		status, body := h.get(t, "/home", valid)
		want := `{"posts":[{"post":{"id":"25","kind":"POST","text":"text 25","publishedAt":"1970-01-01T00:00:00.025Z",` +
			`"author":{"id":"7","handle":"bob","name":"Bob"}},"counters":{"likes":3,"comments":2,"reposts":1,"favorites":0}},` +
			`{"post":{"id":"23",`
		if status != http.StatusOK || !strings.HasPrefix(body, want) || !strings.HasSuffix(body, `"favorites":0}}],"next":"6"}`) {
			t.Errorf("the page from %s has status %d and the body %s", from, status, body)
		}
		if n := strings.Count(body, `"text"`); n != pageSize-1 {
			t.Errorf("the page from %s has %d posts, want %d without the deleted one", from, n, pageSize-1)
		}
	}
	_, body := h.get(t, "/home?before=6", valid)
	if strings.Count(body, `"text"`) != 5 || !strings.Contains(body, `"text 5"`) || !strings.HasSuffix(body, `"next":""}`) {
		t.Errorf("the last page is %s", body)
	}
}

func TestHome_RefusesBadTokens(t *testing.T) {
	h := &home{secret: []byte(secret)}
	for name, text := range map[string]string{
		"none":    "",
		"expired": token(t, secret, time.Now().Add(-time.Hour)),
		"forged":  token(t, "another secret", time.Now().Add(time.Hour)),
	} {
		if status, _ := h.get(t, "/home", text); status != http.StatusUnauthorized {
			t.Errorf("the status for a token that is %s is %d, want 401", name, status)
		}
	}
}
