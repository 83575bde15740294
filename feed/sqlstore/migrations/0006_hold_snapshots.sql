-- The snapshot that a comparison exports, for rows that a held mirror reads again.
ALTER TABLE mirror_holds ADD COLUMN snapshot TEXT NOT NULL DEFAULT '';
