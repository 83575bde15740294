-- queued_at is when the statement of a change began.
{{only postgres}}
ALTER TABLE change_queue ADD COLUMN queued_at BIGINT NOT NULL
    DEFAULT CAST(FLOOR(EXTRACT(EPOCH FROM statement_timestamp()) * 1000) AS BIGINT);
{{end postgres}}
