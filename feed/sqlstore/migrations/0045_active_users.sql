-- Who of many users is active is read from this index alone. Most users of a large network are not, and
-- reading each of their rows was most of a fan-out. Those who have never been active are not in it.
{{only postgres}}
CREATE INDEX idx_users_active ON users (id, active_until) WHERE active_until > 0;
{{end postgres}}
