// Answers questions about a PostgreSQL server: each line of the input is a JSON
// array of [time zone, statement]; each line of the output is the array of the
// answers, as text. A failure is answered as "!SQLSTATE message|detail|hint".
import { PGlite } from '@electric-sql/pglite'
import { createInterface } from 'node:readline'

const db = await PGlite.create()
await db.exec(`create function ask(zone text, q text) returns text language plpgsql as $$
  declare answer text; code text; message text; detail text; hint text;
  begin
    perform set_config('TimeZone', zone, false);
    execute q into answer;
    return coalesce(answer, 'NULL');
  exception when others then
    get stacked diagnostics code = returned_sqlstate, message = message_text, detail = pg_exception_detail, hint = pg_exception_hint;
    return '!' || code || ' ' || message || '|' || detail || '|' || hint;
  end $$`)
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line)
  const r = await db.query(
    `select array(select ask(z, q) from unnest($1::text[], $2::text[]) with ordinality u(z, q, n) order by n)`,
    [asked.map(a => a[0]), asked.map(a => a[1])], { rowMode: 'array' })
  process.stdout.write(JSON.stringify(r.rows[0][0]) + '\n')
}
process.exit(0)
