// Reads a JSON list of argument lists from standard input and writes what
// console.log prints for each, one JSON string a line.
'use strict';
const util = require('util');
const list = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const lines = list.map(src => {
  try {
    return JSON.stringify(util.format(...(0, eval)('"use strict"; [' + src + ']')));
  } catch (e) {
    return JSON.stringify('throws ' + e.message);
  }
});
require('fs').writeSync(1, lines.join('\n') + '\n');
