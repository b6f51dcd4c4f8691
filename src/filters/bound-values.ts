import type { Micros } from '../store/tables/rows.ts';

/** The values of one ClickHouse statement. Each is bound under a name of its own, so none becomes SQL. */
export class BoundValues {
  readonly params: Record<string, unknown> = {};
  #count = 0;

  /** SQL that stands for the value. */
  bind(type: string, value: unknown): string {
    this.#count += 1;
    const name = `v${this.#count}`;
    this.params[name] = value;
    return `{${name}:${type}}`;
  }

  text(value: string): string {
    return this.bind('String', value);
  }

  texts(values: readonly string[]): string {
    return this.bind('Array(String)', values);
  }

  moment(micros: Micros): string {
    return `fromUnixTimestamp64Micro(${this.bind('Int64', micros)}, 'UTC')`;
  }
}
