package page

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// Size is the number of entries of a page, as the server's own default.
const Size = 20

// Home is the query for a page of the home feed. A page of twenty posts has 9.5 kB.
const Home = `query HomePage($first: Int, $after: String) {
  viewer {
    homeFeed(first: $first, after: $after) {
      edges {
        cursor
        node {
          id databaseId kind text publishedAt
          author { id databaseId handle name avatarUrl }
          counters { likes comments reposts favorites }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`

// bare is the same query with only the posts' own fields.
const bare = `query BarePage($first: Int, $after: String) {
  viewer {
    homeFeed(first: $first, after: $after) {
      edges { cursor node { id databaseId kind text publishedAt } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`

// Changes is the query for changes of the home feed, with the posts as in Home.
const Changes = `query HomeChanges($since: String!, $first: Int) {
  viewer {
    homeChanges(since: $since, first: $first) {
      changes {
        kind postId
        edge {
          cursor
          node {
            id databaseId kind text publishedAt
            author { id databaseId handle name avatarUrl }
            counters { likes comments reposts favorites }
          }
        }
      }
      syncToken hasMore
    }
  }
}`

// Live is the query for a page of the live feed.
const Live = `query LivePage($first: Int, $after: String) {
  viewer {
    liveFeed(first: $first, after: $after) {
      snapshotAt
      edges {
        cursor state
        node {
          id databaseId title state scheduledAt startedAt endedAt
          host { id databaseId handle name avatarUrl }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`

// LiveChanges is the query for changes of the live feed, with the sessions as in Live.
const LiveChanges = `query LiveChanges($since: String!, $first: Int) {
  viewer {
    liveChanges(since: $since, first: $first) {
      changes {
        kind liveSessionId
        edge {
          cursor state
          node {
            id databaseId title state scheduledAt startedAt endedAt
            host { id databaseId handle name avatarUrl }
          }
        }
      }
      syncToken hasMore
    }
  }
}`

// Token signs a token for a user, as the server's own token command does: a JWT of HS256.
func Token(secret string, user int64, expires time.Time) string {
	encode := base64.RawURLEncoding.EncodeToString
	claims := fmt.Sprintf(`{"sub":"%d","exp":%d}`, user, expires.Unix())
	signed := encode([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + encode([]byte(claims))
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = mac.Write([]byte(signed)) // a hash never fails
	return signed + "." + encode(mac.Sum(nil))
}

// tokenFor is the lifetime of tokens, which exceeds any run.
const tokenFor = 24 * time.Hour

// Wire serializes an HTTP request for one operation with its variables. The token identifies the
// viewer.
func Wire(host, token, document string, variables map[string]any) ([]byte, error) {
	body, err := json.Marshal(map[string]any{"query": document, "variables": variables})
	if err != nil {
		return nil, err
	}
	out := "POST /graphql HTTP/1.1\r\nHost: " + host + "\r\n" +
		"Authorization: Bearer " + token + "\r\n" +
		"Content-Type: application/json\r\n" +
		"Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n"
	return append([]byte(out), body...), nil
}
