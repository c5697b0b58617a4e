// Answers questions about regular expressions, one JSON line each on standard
// input: {p, f, s, at} with pattern and subject as arrays of code units. The
// answer is {e: message} or {m: [start, end, …]} with -1 for no part, or {} for
// no match.
const text = a => String.fromCharCode(...a);
const lines = require('fs').readFileSync(0, 'utf8').split('\n').filter(Boolean);
const out = lines.map(line => {
  const q = JSON.parse(line);
  let re;
  try {
    re = new RegExp(text(q.p), q.f);
  } catch (e) {
    return JSON.stringify({e: e.message});
  }
  re = new RegExp(text(q.p), q.f + (q.f.includes('d') ? '' : 'd') + (/[gy]/.test(q.f) ? '' : 'g'));
  re.lastIndex = q.at;
  const m = re.exec(text(q.s));
  return JSON.stringify(m ? {m: m.indices.flatMap(x => x || [-1, -1])} : {});
});
console.log(out.join('\n'));
