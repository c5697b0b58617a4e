// Package store keeps journals: what programs ran in which workspace, which
// calls they made, and what came of them, so that a workspace outlives its
// process.
//
// A [Store] holds the journals of many workspaces over a [Backend]: memory, here;
// an SQLite file or a PostgreSQL database in the packages below. A host links the
// backends it uses and no other.
//
// One process at a time owns a workspace, by a lease with a number that grows
// with each owner. Every append names the number, so that an owner that was
// paused and has lost its lease cannot write any more.
//
// A journal is a prefix of what happened, never more: records are appended in
// order, and when one cannot be written none after it is. What may change the
// world is made durable before it is done; the rest is written in batches.
package store
