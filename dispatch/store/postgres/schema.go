package postgres

// versions are the steps of the schema, each from the one before. A step that has
// been released is not changed any more; a new one is added.
var versions = []string{
	`
CREATE TABLE polyglove_workspaces (
	id      text PRIMARY KEY,
	seed    bigint NOT NULL,
	actor   text NOT NULL,
	created timestamptz NOT NULL,
	used    timestamptz NOT NULL DEFAULT clock_timestamp(),
	last    bigint NOT NULL DEFAULT 0,
	bytes   bigint NOT NULL DEFAULT 0,
	holder  text NOT NULL DEFAULT '',
	token   bigint NOT NULL DEFAULT 0,
	until   timestamptz NOT NULL DEFAULT '-infinity'
);
CREATE INDEX polyglove_workspaces_used ON polyglove_workspaces (used);
CREATE TABLE polyglove_entries (
	workspace text NOT NULL REFERENCES polyglove_workspaces ON DELETE CASCADE,
	seq       bigint NOT NULL,
	data      bytea NOT NULL,
	result    bytea,
	blob      bytea,
	PRIMARY KEY (workspace, seq)
);
CREATE INDEX polyglove_entries_blob ON polyglove_entries (blob) WHERE blob IS NOT NULL;
CREATE TABLE polyglove_blobs (
	hash bytea PRIMARY KEY,
	data bytea NOT NULL,
	used timestamptz NOT NULL DEFAULT clock_timestamp()
);
`,
}
