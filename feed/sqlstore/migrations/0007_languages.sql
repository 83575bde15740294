-- The language of a post as a BCP 47 tag; empty if it is not known.
ALTER TABLE contents ADD COLUMN language TEXT NOT NULL DEFAULT '';
