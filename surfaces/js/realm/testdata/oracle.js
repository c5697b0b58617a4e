// Reads a JSON list of expressions from standard input and writes what Node
// makes of each, one JSON string a line.
'use strict';
const fs = require('fs');
const describe = (0, eval)(fs.readFileSync(process.argv[2], 'utf8'));
const list = JSON.parse(fs.readFileSync(0, 'utf8'));
const lines = [];
const RealDate = Date;
for (const src of list) {
  let text;
  try {
    text = describe((0, eval)('"use strict"; ' + src));
  } catch (e) {
    text = 'throws ' + (e instanceof Error ? e.name + ': ' + e.message : describe(e));
  }
  lines.push(JSON.stringify(text));
}
fs.writeSync(1, lines.join('\n') + '\n');
