// Writes ClickHouse's RowBinary: values one after another, without names, quotes or escapes. Texts that arrived as
// bytes leave as the same bytes.

/** Chunks are handed on one by one, so that the engine's child can take one while the next is written. */
const CHUNK_BYTES = 256 * 1024;
/** A chunk that has no room for another ordinary row is full. */
const FULL_BYTES = CHUNK_BYTES - 16 * 1024;

const TWO_TO_32 = 2 ** 32;

export class RowBinaryWriter {
  #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #at = 0;

  /** Whether there is enough for `takeChunk` to be worth it. */
  get isFull(): boolean {
    return this.#at >= FULL_BYTES;
  }

  /** What has been written since the last call. */
  takeChunk(): Buffer {
    const taken = this.#chunk.subarray(0, this.#at);
    this.#chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    this.#at = 0;
    return taken;
  }

  uint8(value: number): void {
    this.#reserve(1);
    this.#chunk[this.#at++] = value;
  }

  uint32(value: number): void {
    this.#reserve(4);
    this.#at = this.#chunk.writeUInt32LE(value, this.#at);
  }

  /** A whole number that JavaScript holds exactly, of either sign. */
  int64(value: number): void {
    this.#reserve(8);
    this.#at = this.#chunk.writeUInt32LE(value - Math.floor(value / TWO_TO_32) * TWO_TO_32, this.#at);
    this.#at = this.#chunk.writeInt32LE(Math.floor(value / TWO_TO_32), this.#at);
  }

  /** The usual 36 characters. ClickHouse keeps each half of a UUID with its last byte first. */
  uuid(value: string): void {
    if (value.length !== 36) throw new TypeError(`A UUID has 36 characters, not ${JSON.stringify(value)}.`);
    this.#reserve(16);
    const chunk = this.#chunk;
    const at = this.#at;
    for (let byte = 0; byte < 16; byte += 1) {
      const from = UUID_DIGITS[byte]!;
      const high = HEX_DIGITS[value.charCodeAt(from)] ?? -1;
      const low = HEX_DIGITS[value.charCodeAt(from + 1)] ?? -1;
      if (high < 0 || low < 0) throw new TypeError(`${JSON.stringify(value)} is not a UUID.`);
      chunk[at + (byte < 8 ? 7 - byte : 23 - byte)] = (high << 4) | low;
    }
    this.#at = at + 16;
  }

  text(value: string | Uint8Array): void {
    if (typeof value === 'string') this.#string(value);
    else this.#bytes(value);
  }

  #bytes(value: Uint8Array): void {
    this.#reserve(LENGTH_BYTES_MAX + value.length);
    this.#length(value.length, lengthBytes(value.length));
    this.#chunk.set(value, this.#at);
    this.#at += value.length;
  }

  /** The length stands before the text, but only writing the text tells it; so room for the longest is left. */
  #string(value: string): void {
    const bytesMax = value.length * 3;
    this.#reserve(LENGTH_BYTES_MAX + bytesMax);
    const lengthAt = this.#at;
    const width = lengthBytes(bytesMax);
    const written = this.#chunk.write(value, lengthAt + width, 'utf8');
    this.#length(written, width);
    this.#at += written;
  }

  /** Seven bits a byte, the lowest first. A number may take more bytes than it needs: ClickHouse reads zeros as well. */
  #length(value: number, width: number): void {
    let rest = value;
    for (let byte = 1; byte < width; byte += 1) {
      this.#chunk[this.#at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#chunk[this.#at++] = rest;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#chunk.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#chunk.length * 2, this.#at + bytes));
    larger.set(this.#chunk.subarray(0, this.#at));
    this.#chunk = larger;
  }
}

const LENGTH_BYTES_MAX = 5;

function lengthBytes(length: number): number {
  if (length < 2 ** 7) return 1;
  if (length < 2 ** 14) return 2;
  if (length < 2 ** 21) return 3;
  return length < 2 ** 28 ? 4 : LENGTH_BYTES_MAX;
}

/** Where the two digits of each byte of a UUID stand in its text. */
const UUID_DIGITS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

/** The value of a hexadecimal digit by its character code; -1 for other characters. */
const HEX_DIGITS = Int8Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? -1 : digit;
});
