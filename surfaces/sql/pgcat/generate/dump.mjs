// Prints the facts of a PostgreSQL server's own catalogue that the resolver needs:
// sections that begin with "# name", then rows of tab-separated fields.
import { PGlite } from '@electric-sql/pglite'

const db = await PGlite.create()
const kept = `n.nspname = 'pg_catalog' and t.typtype <> 'c'
  and not exists (select from pg_type e where e.oid = t.typelem and e.typtype = 'c' and e.typname <> 'record')`
const sections = {
  version: `select current_setting('server_version')`,
  type: `select t.oid::int8, typname, typlen, typtype, typcategory, typispreferred, typelem::int8, typarray::int8,
      typsubscript::text = 'array_subscript_handler', format_type(t.oid, null)
    from pg_type t join pg_namespace n on n.oid = typnamespace where ${kept} order by t.oid`,
  range: `select rngtypid::int8, rngsubtype::int8, rngmultitypid::int8 from pg_range order by 1`,
  cast: `select castsource::int8, casttarget::int8, castfunc::int8, castcontext, castmethod from pg_cast order by 1, 2`,
  operator: `select o.oid::int8, oprname, oprkind, oprleft::int8, oprright::int8, oprresult::int8, oprcom::int8, oprnegate::int8,
      oprcode::int8, oprcanmerge, oprcanhash from pg_operator o where oprcode <> 0 order by o.oid`,
  function: `select p.oid::int8, proname, prokind, provariadic::int8, proisstrict, proretset, provolatile, prorettype::int8,
      proargtypes::text, pronargdefaults, coalesce(array_to_string(proargnames, ','), ''), coalesce(array_to_string(proargmodes, ''), ''),
      coalesce(array_to_string(proallargtypes, ' '), ''), case l.lanname when 'internal' then prosrc else '' end,
      coalesce(pg_get_expr(proargdefaults, 0), '')
    from pg_proc p join pg_language l on l.oid = prolang join pg_namespace n on n.oid = pronamespace
    where n.nspname = 'pg_catalog' order by p.oid`,
  aggregate: `select aggfnoid::int8, aggkind, aggnumdirectargs, aggtransfn, aggfinalfn, aggtranstype::int8, coalesce(agginitval, '')
    from pg_aggregate order by aggfnoid::int8`,
  ordering: `select opcintype::int8,
      max(amopopr::int8) filter (where amname = 'btree' and amopstrategy = 1),
      max(amopopr::int8) filter (where amname = 'btree' and amopstrategy = 3),
      max(amopopr::int8) filter (where amname = 'btree' and amopstrategy = 5),
      max(amopopr::int8) filter (where amname = 'hash' and amopstrategy = 1)
    from pg_opclass c join pg_am a on a.oid = opcmethod
      join pg_amop o on amopfamily = opcfamily and amoplefttype = opcintype and amoprighttype = opcintype
    where opcdefault and amname in ('btree', 'hash') group by 1 order by 1`,
}
const cell = v => v === null ? '0' : v === true ? 't' : v === false ? 'f' : String(v).replaceAll(/[\t\n\\]/g, ' ')
const lines = []
for (const [name, sql] of Object.entries(sections)) {
  lines.push('# ' + name)
  const { rows } = await db.query(sql, [], { rowMode: 'array' })
  for (const row of rows) lines.push(row.map(cell).join('\t'))
}
process.stdout.write(lines.join('\n') + '\n')
