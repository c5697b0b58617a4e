// Prints what a PostgreSQL server reads and writes as text for each type, and what
// it computes with numerics: lines of JSON arrays, [what, input…, answer]. A
// failure is answered as "!SQLSTATE message|detail".
import { PGlite } from '@electric-sql/pglite'

const db = await PGlite.create()
await db.exec(`create function ask(q text) returns text language plpgsql as $$
  declare answer text; code text; message text; detail text;
  begin
    execute q into answer;
    return coalesce(answer, 'NULL');
  exception when others then
    get stacked diagnostics code = returned_sqlstate, message = message_text, detail = pg_exception_detail;
    return '!' || code || ' ' || message || '|' || detail;
  end $$`)
await db.exec('create table fit_varchar (a varchar(3)); create table fit_char (a char(3))')
let seed = 7
const random = n => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 2147483648 * n) }
const digits = n => Array.from({ length: n }, () => random(10)).join('')
const decimal = () => {
  let s = (digits(1 + random(28)).replace(/^0+/, '') || '0')
  if (random(3)) s += '.' + (random(5) ? '' : '0'.repeat(random(9))) + digits(1 + random(12))
  return (random(2) && /[1-9]/.test(s) ? '-' : '') + s
}
const spaced = list => [...list, ...list.slice(0, 4).map(s => `  ${s}\t\n`), '', ' ', 'x', '\u00e9']
const whole = ['0', '-0', '+5', '1_000', '1__0', '_1', '1_', '0x1F', '-0xff', '0o17', '0b101', '0x_1f', '0x', '0b2', '1.0', '1e3', '--1', '+-1', '- 1', '1 2',
  '32767', '32768', '-32768', '-32769', '2147483647', '2147483648', '-2147483648', '-2147483649', '9223372036854775807', '9223372036854775808',
  '-9223372036854775808', '-9223372036854775809', '0x7fffffffffffffff', '0x8000000000000000', '-0x8000000000000000', '99999999999999999999999', '007']
const real = ['0', '-0', '1', '1.5', '-1.5', '.5', '5.', '.', '1e10', '1e-10', '1E5', '1e', '1e+', 'nan', 'NaN', '-nan', 'inf', '-inf', '+Infinity', 'infinit', '1e308', '1e309', '1e-320', '1e-400', '1e38', '1e39',
  '1e-40', '1e-50', '0x1p4', '0x1F', '1_000', '0.1', '123456789', '1234567', '123456', '100000', '1000000', '1e15', '1e14', '123456789012345678', '0.0001', '0.00001', '0.3', '2.2250738585072014e-308',
  '9007199254740993', '5e-324', '1.7976931348623157e308', '3.4028235e38', '16777217', '33554435', '1e22', '1e23', '0e400', '1 2']
for (let i = 0; i < 300; i++) real.push(String((random(2) ? 1 : -1) * random(1e9) * Math.pow(10, random(60) - 40)))
for (let i = 0; i < 200; i++) real.push(digits(17 + random(4)) + '')
const number = ['0', '-0', '0.00', '-0.0', '1', '+1.50', '.5', '5.', '.', '1e3', '1.5e3', '1.5e-3', '1e', '1e+', '12_345.67_8', '1_', '1_.5', '1._5', '1e1_0', '1e_1', '0x1F', '0o17', '0b11', '-0xff', '0x1.5', '0x', 'nan', 'NaN', '-nan',
  'inf', '-inf', '+infinity', 'infinit', '1e131071', '1e131072', '1e-16383', '1e-16384', '0e-16383', '0e-16384', '0e-20000', '1e400000', '1e2000000000', '1e99999999999', '1 2', '--1', '1.2.3', '000123.4500', '0e10', '0.000e-5', '0x_ff', '1__2']
for (let i = 0; i < 200; i++) number.push(decimal())
const input = {
  bool: spaced(['t', 'f', 'tr', 'true', 'TRUE', 'truex', 'y', 'yes', 'n', 'no', 'on', 'off', 'of', 'o', '1', '0', '2', '01', 'fa', 'falsee']),
  int2: spaced(whole), int4: spaced(whole), int8: spaced(whole), float4: spaced(real), float8: spaced(real), numeric: spaced(number),
  'numeric(5,2)': ['1', '999.99', '999.994', '999.995', '1000', '-999.995', '0.005', '-0.005', '0.004', 'NaN', 'inf', 'x'],
  'numeric(3,5)': ['0.001', '0.009994', '0.009995', '0.01', '0'], 'numeric(3,-2)': ['12345', '99949', '99950', '49', '50', '0'], 'numeric(2,2)': ['0.99', '0.995', '1'],
  uuid: ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'A0EEBC999C0B4EF8BB6D6BB9BD380A11', '{a0eebc99-9c0b4ef8-bb6d6bb9-bd380a11}', 'a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11', '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a111', ' a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'g0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '', '{}', 'a0eebc99--9c0b-4ef8-bb6d-6bb9bd380a11', 'a0-eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11-'],
  'text[]': ['','{}',' { } ','{1,2}','{ a , b c }','{"a\\"b",\\x}','{null,NULL,"null"}','{{1,2},{3,4}}','{{1},{2,3}}','{{},{}}','{1,{2}}','{{1},2}','{1,}','{,1}','{1','1}','{1}}','{1} x','{"a"b}','{a"b"}','{a','{"a','[2:3]={1,2}','[2:3]={1}','[3:2]={1}','[2]={1,2}','[0:1][1:1]={{a},{b}}','[1:2={1,2}','[1:2]{1,2}','[a:b]={1}','{{{{{{{1}}}}}}}','[1:1][1:1][1:1][1:1][1:1][1:1][1:1]={1}','{a\\','{"a" , "b"}','{"a" "b"}','{a b}','{{1} {2}}','{1 {2}}','{}}','{ {} , {} }','[1:0]={}','{"",x}','{""}','[-1:0]={7,8}','[1:2]=','{a{b}','{{a}b}', 'x{1}', '{\\null}', '{NuLL}', '{{1},{}}', '{{},{1}}', '{{{}}}', '{{1,2},{3,4}} ', '{{{1},{2}},{{3},{4}}}', '[1:]={1}', '[:1]={1}', '[]={1}', '[99999999999:1]={1}', '[1:2147483647]={1}', ' [1:1] = {1}', '[1:1] ={1}', '{1,,2}', '{"a"{b}}', '{a\tb}', '{é, "é "}', '[2:2][1:2]={{1,2}}', '[1:1]={}', '[1:2][1:1]={1,2}', '{ a\\ }', '{"\\""}'],
  bytea: ['', 'abc', '\\x', '\\xDEADbeef', '\\x de ad\n', '\\xd', '\\xg0', '\\x0g', '\\x0', 'a\\\\b', 'a\\001b', 'a\\400', 'a\\', 'a\\1', 'é', '\\X00', '\\xé', '\\377\\000'],
}
const questions = []
const q = s => 'e' + "'" + s.replaceAll('\\', '\\\\').replaceAll("'", "''") + "'"
for (const [type, list] of Object.entries(input)) for (const s of list) questions.push([[type, s], `select ${q(s)}::${type}::text`])
const odd = ['NaN', 'Infinity', '-Infinity', '0', '0.00', '1', '-1', '1.1', '0.9', '9999', '10000', '0.0001', '99999999', '12345678901234567890.123']
const pairs = odd.flatMap(a => odd.map(b => [a, b]))
for (let i = 0; i < 1500; i++) pairs.push([decimal(), decimal()])
for (const [a, b] of pairs) for (const op of ['+', '-', '*', '/', '%', '<', '=']) questions.push([[op, a, b], `select (numeric '${a}' ${op} numeric '${b}')::text`])
const single = [...odd, ...Array.from({ length: 300 }, decimal), ...Array.from({ length: 100 }, () => decimal().replace('-', ''))]
for (const a of single) for (const f of ['sqrt(x)', 'round(x)', 'round(x, 3)', 'round(x, -2)', 'trunc(x, 2)', 'trunc(x, -3)', 'floor(x)', 'ceil(x)', '-x', 'abs(x)', 'min_scale(x)', 'x::int4', 'x::int8', 'x::float8'])
  questions.push([[f, a], `select (${f.replace(/\bx\b/, `numeric '${a}'`)})::text`.replace(/select \((numeric '.*')::(\w+)\)/, 'select ($1)::$2')])
for (const a of [...odd.slice(3), ...Array.from({ length: 25 }, decimal), '1.0000001', '0.99999', '2', '10', '1.5'])
  for (const e of ['0', '1', '-1', '2', '3', '-2', '7', '-13', '40', '100', '-100', '5.00', ...(a.length < 10 ? ['1000', '-1000'] : [])]) questions.push([['power', a, e], `select power(numeric '${a}', numeric '${e}')::text`])
for (const s of ['', 'abc', 'abcd', 'abc  ', 'abcd  ', 'éèê', 'éèêë', 'a  '])
  for (const t of ['varchar(3)', 'char(3)']) {
    questions.push([[t + ' explicit', s], `select octet_length(${q(s)}::text::${t}) || ':' || (${q(s)}::text::${t})::text`])
    questions.push([[t, s], `insert into fit_${t.slice(0, -3)} values (${q(s)}) returning octet_length(a) || ':' || a::text`])
  }
for (let i = 0; i < questions.length; i += 1000) {
  const part = questions.slice(i, i + 1000)
  const r = await db.query(`select array(select ask(q) from unnest($1::text[]) with ordinality u(q, n) order by n)`, [part.map(p => p[1])], { rowMode: 'array' })
  for (const [n, a] of r.rows[0][0].entries()) process.stdout.write(JSON.stringify([...part[n][0], a]) + '\n')
}
