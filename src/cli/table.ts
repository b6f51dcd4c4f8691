/** Rows under their headings, columns as wide as their widest cell; the last one is not padded. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [headings, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Two columns, the second wrapped and indented below itself. */
export function printDefinitions(pairs: readonly (readonly [string, string])[], widthMax = 100): string {
  const first = Math.max(...pairs.map(([term]) => term.length)) + 4;
  return pairs
    .map(([term, meaning]) => {
      const lines = wrap(meaning, widthMax - first);
      return `  ${term}`.padEnd(first) + lines.join(`\n${' '.repeat(first)}`);
    })
    .join('\n');
}

export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
