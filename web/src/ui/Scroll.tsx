import type { ReactNode } from 'react';
import classes from './Scroll.module.css';

/** What may be larger than its place scrolls in it, by keyboard too. */
export function Scroll({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
