-- Follows of several kinds of objects, which are asked for first, and names of classes with a namespace.
CREATE TABLE users (id bigint PRIMARY KEY, name varchar(255) NOT NULL, email varchar(255) NOT NULL, created_at timestamp, updated_at timestamp);
CREATE TABLE articles (id bigint PRIMARY KEY, user_id bigint NOT NULL REFERENCES users, content text NOT NULL, pinned boolean NOT NULL DEFAULT false, published_at timestamp, created_at timestamp);
CREATE TABLE comments (id bigint PRIMARY KEY, user_id bigint NOT NULL REFERENCES users, commentable_type varchar(255) NOT NULL, commentable_id bigint NOT NULL, body text NOT NULL, created_at timestamp NOT NULL);
CREATE TABLE followables (id bigint PRIMARY KEY, user_id bigint NOT NULL REFERENCES users, followable_type varchar(255) NOT NULL, followable_id bigint NOT NULL, accepted_at timestamp, created_at timestamp);
INSERT INTO users VALUES (1, 'Ann', 'ann@example.com', '2026-01-01', '2026-01-01'), (2, 'Bob', 'bob@example.com', NULL, NULL);
INSERT INTO articles VALUES (10, 2, 'Hello', false, '2026-01-02', '2026-01-01'), (11, 2, 'Not yet', false, NULL, '2026-01-03');
INSERT INTO comments VALUES (10, 1, 'App\Models\Article', 10, 'yes', '2026-01-03');
INSERT INTO followables VALUES (1, 1, 'App\Models\User', 2, '2026-01-01', '2026-01-01'), (2, 2, 'App\Models\User', 1, NULL, '2026-01-01'), (3, 1, 'App\Models\Tag', 2, '2026-01-01', '2026-01-01');
