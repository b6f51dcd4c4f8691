// Where a command's log lines go: to stderr, always. Stdout is for the answer, so that a pipe gets nothing else.
import { pino } from 'pino';
import type { Config } from '../config.ts';
import { type Logger, openLogger } from '../platform/logger.ts';
import type { Terminal } from './command.ts';

type LogConfig = Pick<Config, 'TENREC_LOG_LEVEL' | 'TENREC_LOG_FORMAT'>;

export async function openCliLog(
  { TENREC_LOG_LEVEL: level, TENREC_LOG_FORMAT: format }: LogConfig,
  { stderr }: Pick<Terminal, 'stderr'>,
): Promise<Logger> {
  const pretty = format === 'pretty' || (format === 'auto' && stderr.isTTY);
  return openLogger({ level, format, destination: pretty ? await openPretty() : pino.destination({ dest: 2 }) });
}

async function openPretty() {
  const { default: prettyStream } = await import('pino-pretty');
  return prettyStream({ ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l', sync: true, destination: 2 });
}

/** A short command is about its answer: of the engines it starts on the way, only troubles are of interest. */
export const quietly = (config: Config): Config =>
  config.TENREC_LOG_LEVEL === 'info' ? { ...config, TENREC_LOG_LEVEL: 'warn' } : config;
