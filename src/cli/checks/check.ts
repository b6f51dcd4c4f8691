// One thing that `tenrec doctor` looks at: what it found, whether that is well, and how to mend it.

export type State = 'ok' | 'warning' | 'problem';

export interface Finding {
  state: State;
  found: string;
  /** What to do about it. */
  mend?: string;
}

export interface Check {
  name: string;
  /** What it throws is a problem too, told by its message. */
  look(): Finding | Promise<Finding>;
}

export const ok = (found: string): Finding => ({ state: 'ok', found });
export const warning = (found: string, mend: string): Finding => ({ state: 'warning', found, mend });
export const problem = (found: string, mend: string): Finding => ({ state: 'problem', found, mend });
