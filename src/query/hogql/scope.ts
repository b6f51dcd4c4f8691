// The names that mean something at one place of a text.
import { quoteName } from '../../store/tables/description.ts';
import type { Cte } from './ast.ts';
import type { Chain, Source } from './tables.ts';
import { type Value, value } from './value.ts';

/** One SELECT, with what it reads from and what it calls its columns. */
export class Scope {
  /** By the name that the text has for each. */
  readonly sources = new Map<string, Source>();
  readonly ctes: ReadonlyMap<string, { cte: Cte; scope: Scope }>;
  /** Names that stand for themselves: arguments of lambdas, joined arrays. */
  readonly #own: string[] = [];
  /** The columns that have been given a name; computed when first asked for. */
  readonly #aliases = new Map<string, () => Value>();
  readonly #inside = new Set<string>();

  constructor(ctes: Scope['ctes'] = new Map()) {
    this.ctes = ctes;
  }

  addAlias(name: string, compute: () => Value): void {
    this.#aliases.set(name, compute);
  }

  addOwn(name: string): void {
    this.#own.push(name);
  }

  /** Runs with names that only mean something inside a lambda. */
  within<T>(names: readonly string[], run: () => T): T {
    this.#own.push(...names);
    try {
      return run();
    } finally {
      this.#own.splice(this.#own.length - names.length);
    }
  }

  /** Inside the column that bears the name, the name means what it meant before. */
  define<T>(name: string, run: () => T): T {
    if (this.#inside.has(name)) return run();
    this.#inside.add(name);
    try {
      return run();
    } finally {
      this.#inside.delete(name);
    }
  }

  /** 'ambiguous' when several tables have it. */
  find(chain: Chain): Value | 'ambiguous' | undefined {
    const [first, ...rest] = chain;
    if (typeof first !== 'string') return undefined;
    if (rest.length === 0) {
      if (this.#own.includes(first)) return value(quoteName(first));
      const alias = this.#inside.has(first) ? undefined : this.#aliases.get(first);
      if (alias) return { ...alias(), sql: quoteName(first), ...noInstant };
    }
    const named = rest.length > 0 ? this.sources.get(first) : undefined;
    if (named) return named.find(rest) ?? this.#findAnywhere(chain);
    return this.#findAnywhere(chain);
  }

  #findAnywhere(chain: Chain): Value | 'ambiguous' | undefined {
    const found = [...this.sources.values()].map((source) => source.find(chain)).filter((each) => each !== undefined);
    return found.length > 1 ? 'ambiguous' : found[0];
  }
}

/** A name stands for the column as it is shown. */
const noInstant = { instant: undefined as unknown as string };
