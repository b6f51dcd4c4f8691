// Unpacks the text form that browsers sent before they used gzip: LZ-String's `compressToBase64`.
//
// The scheme is LZ78 over UTF-16 code units. A code is either 0 (a new 8-bit unit follows), 1 (a new 16-bit unit
// follows), 2 (the end) or the number of a phrase seen before. Each phrase is an earlier phrase and the one unit that
// came after it, hence always a piece of what has already come out; the dictionary holds positions, not strings, and
// takes memory for the input's length only.

const NEW_BYTE = 0;
const NEW_UNIT = 1;
const THE_END = 2;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const SIX_BITS = new Int8Array(128).fill(-1);
for (let index = 0; index < ALPHABET.length; index += 1) SIX_BITS[ALPHABET.charCodeAt(index)] = index;
// A plus turns into a space on its way through a form that did not escape it.
SIX_BITS[' '.charCodeAt(0)] = SIX_BITS['+'.charCodeAt(0)]!;

/** The packed text is damaged. */
export class LzDamaged extends Error {}
/** More would come out than the caller allows. */
export class LzTooLong extends Error {}

/** The text inside; at most `unitsMax` UTF-16 code units. */
export function decompressLzBase64(packed: Buffer, unitsMax: number): string {
  const bits = new BitReader(packed);
  const out = new Units(unitsMax);
  const first = bits.read(2);
  if (first === THE_END) return '';
  if (first > THE_END) throw new LzDamaged();
  out.push(bits.read(first === NEW_BYTE ? 8 : 16));
  // Where each phrase begins in the output, and its length, by its number. 0 to 2 are the signs, 3 is the first unit.
  const starts = [0, 0, 0, 0];
  const lengths = [0, 0, 0, 1];
  let width = 3;
  let numbersLeft = 4;
  const addPhrase = (start: number, length: number) => {
    starts.push(start);
    lengths.push(length);
    numbersLeft -= 1;
    if (numbersLeft > 0) return;
    numbersLeft = 2 ** width;
    width += 1;
  };
  let lastStart = 0;
  for (;;) {
    const code = bits.read(width);
    if (code === THE_END) return out.toString();
    const start = out.length;
    const lastLength = start - lastStart;
    if (code === NEW_BYTE || code === NEW_UNIT) {
      out.push(bits.read(code === NEW_BYTE ? 8 : 16));
      addPhrase(start, 1);
    } else if (code < starts.length) {
      out.copy(starts[code]!, lengths[code]!);
    } else if (code === starts.length) {
      // The phrase that is about to be added: the last one and its own first unit again.
      out.copy(lastStart, lastLength + 1);
    } else {
      throw new LzDamaged();
    }
    addPhrase(lastStart, lastLength + 1);
    lastStart = start;
  }
}

/** Reads bits from base64 text: each character gives six, the high one first; each number has its low bit first. */
class BitReader {
  readonly #text: Buffer;
  #at = 0;
  #six = 0;
  #left = 0;

  constructor(text: Buffer) {
    this.#text = text;
  }

  read(width: number): number {
    let value = 0;
    for (let bit = 0; bit < width; bit += 1) {
      if (this.#left === 0) this.#load();
      this.#left -= 1;
      if ((this.#six >> this.#left) & 1) value += 2 ** bit;
    }
    return value;
  }

  #load(): void {
    const six = SIX_BITS[this.#text[this.#at] ?? 127] ?? -1;
    if (six < 0) throw new LzDamaged();
    this.#six = six;
    this.#left = 6;
    this.#at += 1;
  }
}

/** UTF-16 code units, as many as come but never more than allowed. */
class Units {
  length = 0;
  #units = new Uint16Array(1024);
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  push(unit: number): void {
    this.#makeRoom(1);
    this.#units[this.length] = unit;
    this.length += 1;
  }

  /** Repeats what stands at `start`; it may reach into what is being written. */
  copy(start: number, length: number): void {
    this.#makeRoom(length);
    const units = this.#units;
    const offset = this.length - start;
    for (let at = start; at < start + length; at += 1) units[at + offset] = units[at]!;
    this.length += length;
  }

  toString(): string {
    return Buffer.from(this.#units.buffer, 0, this.length * 2).toString('utf16le');
  }

  #makeRoom(more: number): void {
    const needed = this.length + more;
    if (needed > this.#max) throw new LzTooLong();
    if (needed <= this.#units.length) return;
    const grown = new Uint16Array(Math.min(this.#max, Math.max(needed, this.#units.length * 2)));
    grown.set(this.#units);
    this.#units = grown;
  }
}
