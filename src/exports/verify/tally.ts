// Counts ids against those that are expected, 17 bytes for each: millions fit where a set of texts would not.

const ID_BYTES = 16;
/** More than anybody reads; the numbers are always whole. */
export const SHOWN_MAX = 100;

export interface Differences {
  expected: number;
  found: number;
  missing_count: number;
  repeated_count: number;
  unexpected_count: number;
  /** The first of each, by id. */
  missing: string[];
  repeated: string[];
  unexpected: string[];
}

/** Ids as the tally keeps them, in 16 bytes each. */
export interface IdForm {
  /** Undefined for what cannot be an id. */
  toBytes(id: string): Buffer | undefined;
  /** Whether an id that nobody expects is a difference. */
  strangersCount: boolean;
}

export const UUIDS: IdForm = {
  toBytes(id) {
    const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
    return bytes.length === ID_BYTES ? bytes : undefined;
  },
  strangersCount: true,
};

export class Tally {
  readonly #form: IdForm;
  #ids = Buffer.alloc(0);
  #counts = new Uint8Array(0);
  #expected = 0;
  #found = 0;
  #repeated = 0;
  #unexpectedCount = 0;
  readonly #unexpected: string[] = [];

  constructor(form: IdForm = UUIDS) {
    this.#form = form;
  }

  /** Takes the expected ids, in the order of their bytes. */
  async expect(ids: AsyncIterable<string>): Promise<void> {
    for await (const id of ids) {
      const at = this.#expected * ID_BYTES;
      if (at === this.#ids.length) {
        const larger = Buffer.alloc(Math.max(1024 * ID_BYTES, this.#ids.length * 2));
        this.#ids.copy(larger);
        this.#ids = larger;
      }
      this.#form.toBytes(id)?.copy(this.#ids, at);
      this.#expected += 1;
    }
    this.#counts = new Uint8Array(this.#expected);
  }

  find(id: string): void {
    const index = this.#indexOf(id);
    if (index === -1 && !this.#form.strangersCount) return;
    this.#found += 1;
    if (index === -1) {
      this.#unexpectedCount += 1;
      if (this.#unexpected.length < SHOWN_MAX) this.#unexpected.push(id);
      return;
    }
    const count = this.#counts[index]!;
    if (count > 0) this.#repeated += 1;
    if (count < 255) this.#counts[index] = count + 1;
  }

  differences(): Differences {
    const [missing, repeated]: [string[], string[]] = [[], []];
    let missing_count = 0;
    for (const [index, count] of this.#counts.entries()) {
      if (count === 0) missing_count += 1;
      if (count === 0 && missing.length < SHOWN_MAX) missing.push(this.#textOf(index));
      if (count > 1 && repeated.length < SHOWN_MAX) repeated.push(this.#textOf(index));
    }
    return {
      expected: this.#expected,
      found: this.#found,
      missing_count,
      repeated_count: this.#repeated,
      unexpected_count: this.#unexpectedCount,
      missing,
      repeated,
      unexpected: this.#unexpected,
    };
  }

  #indexOf(id: string): number {
    const wanted = this.#form.toBytes(id);
    if (!wanted) return -1;
    let [from, to] = [0, this.#expected];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const order = this.#ids.compare(wanted, 0, ID_BYTES, middle * ID_BYTES, (middle + 1) * ID_BYTES);
      if (order === 0) return middle;
      if (order < 0) from = middle + 1;
      else to = middle;
    }
    return -1;
  }

  #textOf(index: number): string {
    return toUuidText(this.#ids.subarray(index * ID_BYTES, (index + 1) * ID_BYTES));
  }
}

export const toUuidText = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
