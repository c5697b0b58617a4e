// Prints the time zones of a PostgreSQL server: for each zone a line of its name
// and its file (RFC 8536, without the part for 32 bits) in base 64, or the name of
// an earlier zone that is the same; then, after an empty line, the abbreviations
// of its default set with an offset in seconds, and D in summer, or a zone.
import { PGlite } from '@electric-sql/pglite'

const db = await PGlite.create()
const rows = async (sql, ...values) => (await db.query(sql, values, { rowMode: 'array' })).rows
const share = (await rows(`select setting from pg_config where name = 'SHAREDIR'`))[0][0]
// withoutFirst drops the body of the first part, whose size its header tells.
function withoutFirst(file) {
  const [utc, standard, leap, changes, types, letters] = [20, 24, 28, 32, 36, 40].map(at => file.readUInt32BE(at))
  const body = changes * 5 + types * 6 + letters + leap * 8 + standard + utc
  const header = Buffer.concat([file.subarray(0, 20), Buffer.alloc(24)])
  return Buffer.concat([header, file.subarray(44 + body)])
}
const lines = [], seen = new Map()
for (const [name] of await rows(`select name from pg_timezone_names order by name`)) {
  const [[file]] = await rows(`select encode(pg_read_binary_file($1), 'base64')`, `${share}/timezone/${name}`)
  const text = withoutFirst(Buffer.from(file, 'base64')).toString('base64')
  lines.push(`${name}\t${seen.get(text) ?? text}`)
  if (!seen.has(text)) seen.set(text, name)
}
lines.push('')
const [[set]] = await rows(`select pg_read_file($1)`, share + '/timezonesets/Default')
const abbreviations = set.split('\n').map(l => l.replace(/#.*/, '').trim().split(/\s+/)).filter(f => f.length > 1)
for (const f of abbreviations.sort((a, b) => a[0] < b[0] ? -1 : 1)) lines.push(f.join('\t'))
process.stdout.write(lines.join('\n') + '\n')
