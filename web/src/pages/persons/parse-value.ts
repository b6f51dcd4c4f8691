/** What somebody typed as a value: JSON where it is JSON, text otherwise. `"5"` in quotes is a text. */
export function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
