// Cuts a file of SQL into its statements, which ClickHouse takes one at a time.

/** In order of trial: quoted texts and names, comments, the semicolon, anything else. */
const PIECE =
  /'(?:[^'\\]+|\\[\s\S]|'')*'?|"(?:[^"\\]+|\\[\s\S]|"")*"?|`(?:[^`\\]+|\\[\s\S]|``)*`?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|;|[^'"`;/-]+|[\s\S]/g;

/** The statements, without comments and closing semicolons. A semicolon inside a quoted text or a comment ends nothing. */
export function splitStatements(sql: string): string[] {
  const statements = [''];
  for (const [piece] of sql.matchAll(PIECE)) {
    if (piece === ';') statements.push('');
    else if (piece.startsWith('--') || piece.startsWith('/*')) statements.push(`${statements.pop()} `);
    else statements.push(statements.pop() + piece);
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
}
