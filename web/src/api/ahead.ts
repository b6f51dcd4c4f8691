// What came with the page: answers that it was going to ask for (src/web/ahead.ts), and a drawing of what they say.

let given: Map<string, unknown> | undefined;

/** The answer of an address, once; whoever asks again wants to know what is true by then. */
export function takeAhead(address: string): unknown {
  given ??= new Map(Object.entries(JSON.parse(document.getElementById('ahead')?.textContent ?? '{}')));
  const answer = given.get(address);
  given.delete(address);
  return answer;
}

/** The app is there: what was drawn in its place goes, in the same frame. Whoever was at a link of it is at the same link. */
export function removeDrawing(): void {
  const drawing = document.getElementById('drawn');
  const focused = drawing?.contains(document.activeElement) && document.activeElement?.getAttribute('href');
  drawing?.remove();
  if (focused) document.querySelector<HTMLElement>(`#root a[href="${CSS.escape(focused)}"]`)?.focus();
}
