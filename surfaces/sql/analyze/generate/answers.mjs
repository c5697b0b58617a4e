// Asks a real PostgreSQL 17 what it makes of statements: reads them as JSON strings,
// one a line, and prints for each its columns with their types, the types of its
// parameters, or its error. Nothing is executed but the definition of the tables,
// which is the first line.
import { PGlite } from '@electric-sql/pglite'
import { createInterface } from 'node:readline'

const db = await PGlite.create()
const lines = []
for await (const line of createInterface({ input: process.stdin })) lines.push(JSON.parse(line))
await db.exec(lines.shift())
const types = new Map((await db.query(`select oid::int8, format_type(oid, null) as name from pg_type`)).rows.map(r => [Number(r.oid), r.name]))
for (const sql of lines) {
  const out = { sql }
  try {
    const d = await db.describeQuery(sql)
    out.ok = true
    out.columns = d.resultFields.map(f => f.name)
    out.types = d.resultFields.map(f => types.get(f.dataTypeID) ?? String(f.dataTypeID))
    out.params = d.queryParams.map(p => types.get(p.dataTypeID) ?? String(p.dataTypeID))
  } catch (e) {
    out.sqlstate = e.code
    out.message = e.message
    for (const k of ['detail', 'hint', 'position']) if (e[k]) out[k] = k === 'position' ? Number(e[k]) : e[k]
  }
  console.log(JSON.stringify(out))
}
