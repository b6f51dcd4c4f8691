// Reads `application/x-www-form-urlencoded` bytes. Values stay bytes: one of them may be a whole packed request.

const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/** The first value of each wanted field. Broken escapes are left as they are. */
export function readForm<Name extends string>(bytes: Buffer, wanted: readonly Name[]): Partial<Record<Name, Buffer>> {
  const fields: Partial<Record<Name, Buffer>> = {};
  for (let start = 0; start < bytes.length; ) {
    const ampersand = bytes.indexOf(AMPERSAND, start);
    const end = ampersand === -1 ? bytes.length : ampersand;
    const pair = bytes.subarray(start, end);
    const equals = pair.indexOf(EQUALS);
    if (equals > 0) {
      const name = wanted.find((candidate) => candidate === pair.toString('latin1', 0, equals));
      if (name && !fields[name]) fields[name] = unescapeForm(pair.subarray(equals + 1));
    }
    start = end + 1;
  }
  return fields;
}

function unescapeForm(bytes: Buffer): Buffer {
  const plain = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at]!;
    if (byte === PLUS) {
      byte = SPACE;
    } else if (byte === PERCENT) {
      const high = hexDigit(bytes[at + 1]);
      const low = hexDigit(bytes[at + 2]);
      if (high >= 0 && low >= 0) {
        byte = high * 16 + low;
        at += 2;
      }
    }
    plain[length] = byte;
    length += 1;
  }
  return plain.subarray(0, length);
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
