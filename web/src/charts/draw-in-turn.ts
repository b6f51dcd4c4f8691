// Charts of one page are drawn one after the other, each in a task of its own: the first is seen, and the page answers,
// before the last is drawn.
import { isPrinting } from '../ui/print.ts';

const waiting = new Set<() => void>();

/** Draws when it is this one's turn, unless it is given up before. */
export function drawInTurn(draw: () => void): () => void {
  if (isPrinting()) {
    draw();
    return () => {};
  }
  waiting.add(draw);
  if (waiting.size === 1) setTimeout(drawNext);
  return () => void waiting.delete(draw);
}

function drawNext(): void {
  const [draw] = waiting;
  if (!draw) return;
  waiting.delete(draw);
  if (waiting.size > 0) setTimeout(drawNext);
  draw();
}
