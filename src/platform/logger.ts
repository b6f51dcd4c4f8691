// Structured logs: JSON lines for machines, a readable form on a terminal.
import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

export interface LogOptions {
  level: string;
  format: 'auto' | 'json' | 'pretty';
  /** Where JSON lines go; a test passes its own. */
  destination?: DestinationStream;
}

const SECRET = /\b(ph[a-z]_)[0-9A-Za-z_-]{8,}/g;

/** Any key in the text, whatever its kind, reduced to its prefix and last four characters. */
export function maskKeys(text: string): string {
  return text.replace(SECRET, (key, prefix: string) => `${prefix}...${key.slice(-4)}`);
}

export async function openLogger({ level, format, destination }: LogOptions): Promise<Logger> {
  const options = {
    level,
    base: undefined,
    // The last gate before a line is written: a key that reached a message, a URL or an error is masked here.
    hooks: { streamWrite: maskKeys },
  };
  if (destination) return pino(options, destination);
  const pretty = format === 'pretty' || (format === 'auto' && process.stdout.isTTY);
  if (!pretty) return pino(options);
  const { default: prettyStream } = await import('pino-pretty');
  return pino(options, prettyStream({ ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l', sync: true }));
}
