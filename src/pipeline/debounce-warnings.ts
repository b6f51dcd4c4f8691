// Of a warning that repeats itself, one an hour is enough.
import { everyOneIsKept } from './warnings.ts';

/** A warning of one event, on its way to the table. */
export interface RaisedWarning {
  team_id: number;
  type: string;
  /** Repetitions are told by it: the event's name. */
  key: string;
  details: unknown;
}

const HOUR_MS = 3_600_000;
/** More different warnings than this in one hour, and some are told twice. */
const REMEMBERED_MAX = 50_000;

export class WarningDebouncer {
  readonly #toldAt = new Map<string, number>();

  /** Those worth telling now. What is not stored afterwards is to be forgotten with `clear`. */
  select(warnings: readonly RaisedWarning[], nowMs: number): RaisedWarning[] {
    return warnings.filter(({ team_id, type, key }) => {
      if (everyOneIsKept.has(type)) return true;
      const name = `${team_id} ${type} ${key}`;
      if (nowMs - (this.#toldAt.get(name) ?? Number.NEGATIVE_INFINITY) < HOUR_MS) return false;
      if (this.#toldAt.size >= REMEMBERED_MAX) this.#toldAt.clear();
      this.#toldAt.set(name, nowMs);
      return true;
    });
  }

  clear(): void {
    this.#toldAt.clear();
  }
}
