// What became of all accepted events, as the program itself accounts for them.
import assert from 'node:assert/strict';
import { KEY, waitFor } from '../program.ts';
import { send } from './send.ts';

export interface Accounts {
  accepted: number;
  stored: number;
  dropped: Record<string, number>;
  /** Neither stored nor dropped yet. */
  waiting: number;
  /** Records in the log that are not processed yet. */
  lag: number;
}

const PROJECT = 1;

export async function readAccounts(port: number): Promise<Accounts | undefined> {
  const headers = { authorization: `Bearer ${KEY}` };
  const { status, text } = await send(port, { method: 'GET', path: `/api/projects/${PROJECT}/ingestion/`, headers });
  if (status === 0 || status === 503) return undefined;
  assert.equal(status, 200, text);
  const { totals, lag } = JSON.parse(text);
  return { ...totals, lag: lag.events };
}

/** Waits until everything accepted is stored or dropped. */
export async function waitUntilProcessed(port: number, msMax: number, hint = () => ''): Promise<Accounts> {
  let last: Accounts | undefined;
  return waitFor(
    async () => {
      last = await readAccounts(port);
      // A batch leaves the log a moment before it is counted.
      return last?.lag === 0 && last.waiting === 0 ? last : undefined;
    },
    msMax,
    () => `events still wait: ${JSON.stringify(last)}\n${hint().slice(-1_500)}`,
  );
}

export function checkAccounts({ accepted, stored, dropped }: Accounts): void {
  const left = accepted - stored - Object.values(dropped).reduce((sum, count) => sum + count, 0);
  assert.equal(left, 0, `accepted ${accepted}, stored ${stored}, dropped ${JSON.stringify(dropped)}`);
}
