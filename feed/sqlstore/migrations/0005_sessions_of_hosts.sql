-- Changes of live feeds name the sessions of a host by id, in pages.
CREATE INDEX idx_live_of_host ON live_sessions (host_id, id);
