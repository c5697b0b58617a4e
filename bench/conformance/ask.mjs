// Answers statements on a PostgreSQL server of its own: each line of the input is a
// JSON string; each line of the output is the answer, values as text.
import { PGlite } from '@electric-sql/pglite'
import { createInterface } from 'node:readline'

const db = await PGlite.create()
const text = {}
const names = new Map()
const known = await db.query(`select oid::int8 as oid, format_type(oid, null) as name from pg_type`, [], { rowMode: 'array' })
for (const [oid, name] of known.rows) {
  names.set(Number(oid), name)
  text[Number(oid)] = v => v
}
for await (const line of createInterface({ input: process.stdin })) {
  const sql = JSON.parse(line)
  let answer
  try {
    const r = await db.query(sql, [], { rowMode: 'array', parsers: text })
    answer = { ok: true, columns: r.fields.map(f => f.name), types: r.fields.map(f => names.get(f.dataTypeID) ?? '???'), rows: r.rows }
  } catch (e) {
    answer = { ok: false, sqlstate: e.code ?? '', message: e.message, detail: e.detail ?? '', hint: e.hint ?? '', position: Number(e.position ?? 0) }
  }
  process.stdout.write(JSON.stringify(answer) + '\n')
}
process.exit(0)
