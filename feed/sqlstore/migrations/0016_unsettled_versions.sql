-- Whether the record with the version was bad, and was applied only as far as it says who may see its object.
ALTER TABLE object_versions ADD COLUMN unsettled SMALLINT NOT NULL DEFAULT 0;
