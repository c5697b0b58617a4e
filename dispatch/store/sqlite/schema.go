package sqlite

// versions are the steps of the schema, each from the one before. A step that has
// been released is not changed any more; a new one is added.
var versions = []string{
	`
CREATE TABLE workspaces (
	id      TEXT PRIMARY KEY,
	seed    INTEGER NOT NULL,
	actor   TEXT NOT NULL,
	created INTEGER NOT NULL,          -- Unix milliseconds, as all times here
	used    INTEGER NOT NULL,
	holder  TEXT NOT NULL DEFAULT '',
	token   INTEGER NOT NULL DEFAULT 0,
	until   INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE entries (
	workspace TEXT NOT NULL REFERENCES workspaces ON DELETE CASCADE,
	seq       INTEGER NOT NULL,
	data      BLOB NOT NULL,
	result    BLOB,
	blob      BLOB,
	PRIMARY KEY (workspace, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX entries_blob ON entries (blob) WHERE blob IS NOT NULL;
CREATE TABLE blobs (
	hash BLOB PRIMARY KEY,
	data BLOB NOT NULL
) STRICT;
`,
}
