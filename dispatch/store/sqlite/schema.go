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
	// The journal of a workspace is a range of one table's own keys, so that appending
	// to it changes one page and compares numbers. A number is never used again: a
	// lease of a workspace that was deleted is of none.
	`
CREATE TABLE places (
	number  INTEGER PRIMARY KEY AUTOINCREMENT,
	id      TEXT NOT NULL UNIQUE,
	seed    INTEGER NOT NULL,
	actor   TEXT NOT NULL,
	created INTEGER NOT NULL,
	used    INTEGER NOT NULL,
	holder  TEXT NOT NULL DEFAULT '',
	token   INTEGER NOT NULL DEFAULT 0,
	until   INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO places (id, seed, actor, created, used, holder, token, until)
	SELECT id, seed, actor, created, used, holder, token, until FROM workspaces ORDER BY used, id;
CREATE TABLE records (
	key  INTEGER PRIMARY KEY,          -- the workspace's number << 32 | its first record's in it
	data BLOB NOT NULL,                -- see pack.go
	blob BLOB
) STRICT;
INSERT INTO records (key, data, blob)
	SELECT number << 32 | seq, CASE WHEN result IS NULL THEN data ELSE CAST(CAST(data AS TEXT) || char(9) || CAST(result AS TEXT) AS BLOB) END, blob
	FROM entries JOIN places ON id = workspace ORDER BY 1;
CREATE INDEX records_blob ON records (blob) WHERE blob IS NOT NULL;
DROP TABLE entries;
DROP TABLE workspaces;
ALTER TABLE places RENAME TO workspaces;
`,
}
