// A page on paper, with what was out of sight on the screen.
import { flushSync } from 'react-dom';

const ASKED = 'tenrec:print';
const LOOK_MS = 50;
const LOOKS_MAX = 600;

let printing = false;
addEventListener('beforeprint', () => {
  printing = true;
});
addEventListener('afterprint', () => {
  printing = false;
});

/** The browser is about to make the sheets: whatever is to be on them is drawn at once, or not at all. */
export const isPrinting = () => printing;

/** Told when everything is wanted, in sight or not. */
export function beforePrint(show: () => void): () => void {
  const showNow = () => flushSync(show);
  const names = ['beforeprint', ASKED];
  for (const name of names) addEventListener(name, showNow);
  return () => {
    for (const name of names) removeEventListener(name, showNow);
  };
}

const isBusy = () => document.querySelector('main [aria-busy=true]') !== null;

/** Asks for what was never in sight, waits until it is there, and opens the browser's dialog. */
export async function printWhole(): Promise<void> {
  dispatchEvent(new Event(ASKED));
  for (let look = 0; isBusy() && look < LOOKS_MAX; look++) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  print();
}
