-- Fields of the application, as a JSON object without white space; empty for none.
ALTER TABLE users ADD COLUMN custom TEXT NOT NULL DEFAULT '';
ALTER TABLE contents ADD COLUMN custom TEXT NOT NULL DEFAULT '';
