// What came with the page: answers that it was going to ask for (src/web/ahead.ts), and a drawing of what they say.

let given: Map<string, unknown> | undefined;

/** The answer of an address, once; whoever asks again wants to know what is true by then. */
export function takeAhead(address: string): unknown {
  given ??= new Map(Object.entries(JSON.parse(document.getElementById('ahead')?.textContent ?? '{}')));
  const answer = given.get(address);
  given.delete(address);
  return answer;
}

/** The app is there: what was drawn in its place goes, in the same frame. */
export const removeDrawing = () => document.getElementById('drawn')?.remove();
