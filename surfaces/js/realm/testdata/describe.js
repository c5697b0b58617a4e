// Evaluates to a function that writes any value as text, the same in every engine.
(function () {
  'use strict';
  function describe(v, depth) {
    if (depth > 6) return '…';
    if (v === undefined) return 'undefined';
    if (v === null) return 'null';
    switch (typeof v) {
      case 'number': return Object.is(v, -0) ? '-0' : String(v);
      case 'string': return JSON.stringify(v);
      case 'boolean': return String(v);
      case 'bigint': return String(v) + 'n';
      case 'function': return 'function';
    }
    if (Array.isArray(v)) {
      const parts = [];
      for (let i = 0; i < v.length && i < 60; i++) parts.push(i in v ? describe(v[i], depth + 1) : '<hole>');
      if (v.length > 60) parts.push('length ' + v.length);
      for (const k of Object.keys(v)) if (!/^[0-9]+$/.test(k)) parts.push(k + ': ' + describe(v[k], depth + 1));
      return '[' + parts.join(', ') + ']';
    }
    if (v instanceof Map) return 'Map{' + [...v].map(e => describe(e[0], depth + 1) + ' => ' + describe(e[1], depth + 1)).join(', ') + '}';
    if (v instanceof Set) return 'Set{' + [...v].map(e => describe(e, depth + 1)).join(', ') + '}';
    if (v instanceof Date) return 'Date(' + v.getTime() + ')';
    if (v instanceof RegExp) return String(v) + '@' + v.lastIndex;
    if (v instanceof Error) return v.name + ': ' + v.message + (v.cause === undefined ? '' : ' cause ' + describe(v.cause, depth + 1));
    if (v instanceof Promise) return 'Promise';
    return '{' + Object.keys(v).map(k => JSON.stringify(k) + ': ' + describe(v[k], depth + 1)).join(', ') + '}';
  }
  return v => describe(v, 0);
})()
