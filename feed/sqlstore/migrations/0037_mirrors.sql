-- Mirrors (feed.Mirrors), by source. snapshot is the number of the last snapshot that was begun, and
-- complete is 1 once a snapshot of all tables has ended.
CREATE TABLE mirrors (
    source   TEXT     NOT NULL PRIMARY KEY,
    slot     TEXT     NOT NULL,
    snapshot BIGINT   NOT NULL,
    complete SMALLINT NOT NULL DEFAULT 0
) {{without rowid}};

-- The tables of a mirror. from_lsn is the place of the snapshot that has read the table.
CREATE TABLE mirror_tables (
    source   TEXT   NOT NULL,
    name     TEXT   NOT NULL,
    from_lsn BIGINT NOT NULL,
    digest   TEXT   NOT NULL,
    columns  TEXT   NOT NULL,
    types    TEXT   NOT NULL,
    PRIMARY KEY (source, name)
) {{without rowid}};

-- Tables whose snapshot was asked for; an empty name stands for all. snapshot is the one that began
-- with the request, or 0.
CREATE TABLE mirror_requests (
    source   TEXT   NOT NULL,
    name     TEXT   NOT NULL,
    snapshot BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (source, name)
) {{without rowid}};

-- The objects of a snapshot that is being read. A crash of the database empties the table. So each
-- snapshot has a row without a type: if it is missing, so are others.
CREATE {{only postgres}}UNLOGGED{{end postgres}} TABLE mirror_seen (
    snapshot BIGINT NOT NULL,
    type     TEXT   NOT NULL,
    a        BIGINT NOT NULL,
    b        BIGINT NOT NULL,
    PRIMARY KEY (snapshot, type, a, b)
) {{without rowid}};
