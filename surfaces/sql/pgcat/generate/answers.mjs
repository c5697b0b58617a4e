// Prints what a PostgreSQL server makes of every operator and function of its
// catalogue over pairs of types: a line for each name and first argument, with
// the type's number of the result, or the SQLSTATE, for every second argument.
import { PGlite } from '@electric-sql/pglite'

const db = await PGlite.create()
await db.exec(`create function ask(q text) returns text language plpgsql as $$
  declare answer text;
  begin
    execute 'prepare asked as ' || q;
    select coalesce(result_types[1]::oid::int8::text, 'none') into answer from pg_prepared_statements where name = 'asked';
    execute 'deallocate asked';
    return answer;
  exception when others then return '!' || sqlstate;
  end $$`)
const names = ['bool', 'int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'text', 'varchar', 'bpchar', 'name', 'date', 'time', 'timetz',
  'timestamp', 'timestamptz', 'interval', 'json', 'jsonb', 'uuid', 'bytea', 'oid', 'int4[]', 'int8[]', 'text[]', 'numeric[]', 'int4range', 'unknown']
const { rows } = await db.query(`select $1::text[]::regtype[]::oid[]::int8[]`, [names], { rowMode: 'array' })
const argument = t => t === 'unknown' ? 'null' : `(null::${t})`
const lines = ['types\t' + rows[0][0].join(' ')]
async function line(head, queries) {
  const r = await db.query(`select array(select ask(q) from unnest($1::text[]) with ordinality u(q, n) order by n)`, [queries], { rowMode: 'array' })
  lines.push(head.join('\t') + '\t' + r.rows[0][0].join(' '))
}
const oids = rows[0][0]
const operators = (await db.query(`select distinct oprname from pg_operator order by 1`)).rows.map(r => r.oprname)
for (const o of operators) {
  await line(['prefix', o], names.map(t => `select ${o} ${argument(t)}`))
  for (const [i, a] of names.entries()) await line(['infix', o, oids[i]], names.map(b => `select ${argument(a)} ${o} ${argument(b)}`))
}
// Functions that a statement may call: not input and output, not internal support,
// and none whose arguments are all of types that no statement names.
const functions = (await db.query(`select distinct proname from pg_proc p where pronamespace = 'pg_catalog'::regnamespace
  and 'internal'::regtype <> all (proargtypes) and 'cstring'::regtype <> all (proargtypes)
  and prorettype not in ('cstring'::regtype, 'internal'::regtype, 'trigger'::regtype, 'event_trigger'::regtype, 'index_am_handler'::regtype, 'table_am_handler'::regtype)
  and proname !~ '^(pg_|has_|bt|hash|gin|gist|brin|spg|ts_|in_range|binary_upgrade|lo_|cash|inet|mac|row_security|txid|currtid|set_config|query_to|table_to|schema_to|database_to|cursor_to)'
  order by 1`)).rows.map(r => r.proname)
for (const f of functions) {
  const q = `"${f}"`
  await line(['call', f], [`select ${q}()`, ...names.map(t => `select ${q}(${argument(t)})`)])
  for (const [i, a] of names.entries()) await line(['call', f, oids[i]], names.map(b => `select ${q}(${argument(a)}, ${argument(b)})`))
}
process.stdout.write(lines.join('\n') + '\n')
