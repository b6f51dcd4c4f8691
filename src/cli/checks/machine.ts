// The machine: Node, the clock, the port.
import type { Config } from '../../config.ts';
import { explainPortFault, findPortFault } from '../port.ts';
import { type Check, ok, problem, warning } from './check.ts';
import { askReadiness } from './readiness.ts';

const NODE_MAJOR_MIN = 24;

export const nodeCheck = (version = process.versions.node): Check => ({
  name: 'Node',
  look: () =>
    Number.parseInt(version, 10) >= NODE_MAJOR_MIN
      ? ok(version)
      : problem(version, `Tenrec needs Node ${NODE_MAJOR_MIN}. Run: npm ci, which installs one beside it.`),
});

/** Events carry times, and keys and sessions end by them: a clock that was never set makes nonsense of both. */
const YEAR_MIN = 2025;
const YEAR_MAX = 2100;

export const clockCheck = (now = new Date()): Check => ({
  name: 'clock',
  look() {
    const year = now.getUTCFullYear();
    const shown = `${now.toISOString().slice(0, 19)}Z`;
    if (year >= YEAR_MIN && year < YEAR_MAX) return ok(shown);
    return problem(shown, 'Set the clock of this machine, best by a time service such as chrony or systemd-timesyncd.');
  },
});

export const portCheck = (config: Pick<Config, 'HOST' | 'PORT'>): Check => ({
  name: 'port',
  async look() {
    const { HOST, PORT } = config;
    if (PORT === 0) return ok('any free one');
    const code = await findPortFault(config);
    if (code === undefined) return ok(`${HOST}:${PORT} is free`);
    const readiness = code === 'EADDRINUSE' ? await askReadiness(config) : undefined;
    if (!readiness) return problem(`${HOST}:${PORT} cannot be used`, explainPortFault(code, config));
    if (readiness.status === 'ok') return ok(`Tenrec answers at ${HOST}:${PORT}`);
    return warning(
      `Tenrec answers at ${HOST}:${PORT}, but is not ready`,
      'Wait a moment; if it stays so, look into its log.',
    );
  },
});
