package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/redis/go-redis/v9"
)

// keepFor is the lifetime of a post's JSON.
const keepFor = time.Hour

// load returns posts as JSON and their counters. A post that is not stored is "".
func (h *home) load(ctx context.Context, ids []string) (posts, counters []string, err error) {
	if len(ids) == 0 {
		return nil, nil, nil
	}
	keys := make([]string, 2*len(ids))
	for i, id := range ids {
		keys[i], keys[len(ids)+i] = "peer:post:"+id, "peer:counters:"+id
	}
	values, err := h.redis.MGet(ctx, keys...).Result()
	if err != nil {
		return nil, nil, err
	}
	all := make([]string, len(values))
	for i, v := range values {
		all[i], _ = v.(string)
	}
	posts, counters = all[:len(ids)], all[len(ids):]
	return posts, counters, h.fill(ctx, ids, posts)
}

// post is a post in a page.
type post struct {
	ID          int64     `json:"id,string"`
	Kind        string    `json:"kind"`
	Text        string    `json:"text"`
	PublishedAt time.Time `json:"publishedAt"`
	Author      author    `json:"author"`
}

type author struct {
	ID        int64  `json:"id,string"`
	Handle    string `json:"handle"`
	Name      string `json:"name"`
	AvatarURL string `json:"avatarUrl,omitempty"`
}

const selectPosts = `
SELECT c.id::text, c.id, c.kind, c.text, c.published_at, u.id, u.handle, u.name, u.avatar_url
FROM contents AS c JOIN users AS u ON u.id = c.author_id
WHERE c.id = ANY($1::text[]::bigint[]) AND c.deleted_at = 0`

// fill reads the missing ones of posts from SQL and stores their JSON in Redis.
func (h *home) fill(ctx context.Context, ids, posts []string) error {
	places := map[string]int{}
	var missing []string
	for i, p := range posts {
		if p == "" {
			places[ids[i]] = i
			missing = append(missing, ids[i])
		}
	}
	if len(missing) == 0 {
		return nil
	}
	rows, err := h.sql.Query(ctx, selectPosts, missing)
	if err != nil {
		return err
	}
	defer rows.Close()
	_, err = h.redis.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		for rows.Next() {
			var id string
			var p post
			var publishedAt int64
			a := &p.Author
			if err := rows.Scan(&id, &p.ID, &p.Kind, &p.Text, &publishedAt, &a.ID, &a.Handle, &a.Name, &a.AvatarURL); err != nil {
				return err
			}
			p.PublishedAt = time.UnixMilli(publishedAt).UTC()
			text, err := json.Marshal(p)
			if err != nil {
				return err
			}
			posts[places[id]] = string(text)
			pipe.Set(ctx, "peer:post:"+id, text, keepFor)
		}
		return rows.Err()
	})
	return err
}
