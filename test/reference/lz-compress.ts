// Packs text as old browser clients did (LZ-String's base64 form), so that tests can unpack it again.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

export function compressLzBase64(text: string): string {
  const bits: number[] = [];
  const write = (value: number, width: number) => {
    for (let bit = 0; bit < width; bit += 1) bits.push(Math.floor(value / 2 ** bit) % 2);
  };
  const numbers = new Map<string, number>();
  const unsent = new Set<string>();
  let next = 3;
  let width = 2;
  let numbersLeft = 2;
  const countNumber = () => {
    numbersLeft -= 1;
    if (numbersLeft > 0) return;
    numbersLeft = 2 ** width;
    width += 1;
  };
  const send = (phrase: string) => {
    if (unsent.delete(phrase)) {
      const unit = phrase.charCodeAt(0);
      write(unit < 256 ? 0 : 1, width);
      write(unit, unit < 256 ? 8 : 16);
      countNumber();
    } else {
      write(numbers.get(phrase)!, width);
    }
    countNumber();
  };
  let phrase = '';
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charAt(at);
    if (!numbers.has(unit)) {
      numbers.set(unit, next);
      next += 1;
      unsent.add(unit);
    }
    if (numbers.has(phrase + unit)) {
      phrase += unit;
      continue;
    }
    send(phrase);
    numbers.set(phrase + unit, next);
    next += 1;
    phrase = unit;
  }
  if (phrase !== '') send(phrase);
  write(2, width);
  let packed = '';
  for (let at = 0; at < bits.length; at += 6) {
    const six = [0, 1, 2, 3, 4, 5].reduce((sum, bit) => sum * 2 + (bits[at + bit] ?? 0), 0);
    packed += ALPHABET[six];
  }
  return packed.padEnd(Math.ceil(packed.length / 4) * 4, '=');
}
