// Property values that have broken exporters: each must arrive as it was sent.

/** JSON texts of properties. What a JSON parser reads from them is what must be read from the destination. */
export const hostileProperties: Readonly<Record<string, string>> = {
  empty: '{}',
  quotes: JSON.stringify({ a: `it's "quoted" \`so\` ''twice'' ""` }),
  lines: JSON.stringify({ a: 'one\ntwo\r\nthree\ttab\vvertical\fform\bback', '\n': '\t' }),
  'white space between tokens': '{\n\t"a" : [ 1 ,\r\n 2 ] }',
  backslashes: JSON.stringify({ a: '\\', b: '\\\\', c: '\\n is not a line', d: '\\N', e: '\\.', f: 'end\\' }),
  'copy markers': JSON.stringify({ a: '\\.\n\\.\n', b: '\\N', c: 'NULL', d: 'null' }),
  'escaped u': JSON.stringify({ a: '\\u0000 is text', b: '\\\\u0000', c: '\\ud800' }),
  control: '{"a":"\\u0001\\u001f\\u007f\\u0080"}',
  emoji: JSON.stringify({ '🦔': '👩‍👩‍👧‍👦 é e\u0301 \u202e right to left', zero: 'a\u200bb\ufeff' }),
  'emoji in escapes': '{"a":"\\ud83e\\udd94 \\u00e9"}',
  'line separators': JSON.stringify({ a: '\u2028\u2029\u0085' }),
  slashes: JSON.stringify({ url: 'https://example.com/a/b?c=d&e=<f>#g', close: '</script>' }),
  'big integers': '{"a":9223372036854775807,"b":18446744073709551615,"c":-9223372036854775808}',
  'small numbers': '{"a":1e-300,"c":0.1,"d":1.7976931348623157e308,"e":5e-324}',
  nothing: '{"a":null,"b":{},"c":[],"d":"","e":[null,[],{}]}',
  'keys with dots': '{"a.b":1,"a":{"b":2},"$set":{"x":1},"":"empty name"}',
  deep: `${'{"a":'.repeat(90)}1${'}'.repeat(90)}`,
  long: JSON.stringify({ a: 'x'.repeat(100_000) }),
  braces: JSON.stringify({ a: '{{}} }{ ][', b: '{"not":"json"}', c: '{uuid}' }),
  sql: JSON.stringify({ a: "'; DROP TABLE events; --", b: '$1 {x:String} %s' }),
};

/** What PostgreSQL's `jsonb` cannot hold: a sign or a character is lost, and nothing else. */
export const unstorableProperties: readonly { readonly sent: string; readonly kept: string }[] = [
  { sent: '{"a":-0}', kept: '{"a":0}' },
  {
    sent: '{"a":[1e99999,-2.5E+123456, 1e-99999],"b":"1e99999"}',
    kept: '{"a":[1.7976931348623157e308,-1.7976931348623157e308,0],"b":"1e99999"}',
  },
  { sent: `{"a":-${'7'.repeat(140_000)}}`, kept: '{"a":-1.7976931348623157e308}' },
  { sent: '{"a":"x\\u0000y"}', kept: '{"a":"xy"}' },
  { sent: '{"a":"\\u0000\\u0000\\\\\\u0000\\\\u0000"}', kept: '{"a":"\\\\\\\\u0000"}' },
  { sent: '{"a\\u0000":"\\ud83e\\udd94\\ud800z"}', kept: '{"a":"\\ud83e\\udd94z"}' },
  { sent: '{"a":"\\udc00\\ud83e\\udd94\\uD83E"}', kept: '{"a":"\\ud83e\\udd94"}' },
];

/** Texts for columns that are not JSON. */
export const hostileTexts: readonly string[] = [
  'plain',
  `quote ' double " back \``,
  'tab\tnew\nline\rreturn',
  'back\\slash \\N \\. \\t',
  '🦔 é e\u0301 \u2028',
  ', "csv"; |pipe|',
  ' spaces ',
  '{"json":"text"}',
];
