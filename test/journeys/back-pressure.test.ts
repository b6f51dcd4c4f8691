// An event store that is away: capture goes on answering as long as the log has room, says 503 when it has none, needs
// no more memory for it, and everything that was acknowledged arrives in the end.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openTestDatabase, programOn } from '../db.ts';
import { checkAccounts, readAccounts, waitUntilProcessed } from '../load/accounts.ts';
import { watchOwnMemory } from '../load/memory.ts';
import { startLoadedProgram } from '../load/program.ts';
import { type Answered, sendJson } from '../load/send.ts';
import { TOKEN, waitFor } from '../program.ts';
import { isLong } from '../random.ts';

const AWAY_MS = isLong ? 60_000 : 2_000;
const KILLS_MIN = 2;
const LOG_MAX_MB = 64;
const SENDERS = 8;
const REFUSALS_MIN = (isLong ? 10 : 2) * SENDERS;
const BATCH = 100;
/** Between two requests of a sender, so that a minute of them fits into the log. */
const PACE_MS = 1_000;
const PROCESSED_MS_MAX = 240_000;
/** What the collector has not got to yet, and a log's worth of nothing more. */
const GROWN_MB_MAX = 160;

const data = await mkdtemp(join(tmpdir(), 'tenrec-back-pressure-'));
const database = await openTestDatabase();
const env = { ...programOn(database), TENREC_LOG_MAX_MB: String(LOG_MAX_MB) };
const program = await startLoadedProgram({ data, env });
after(async () => {
  await program.stop();
  await database.close();
  await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
});

let acknowledged = 0;
/** In short, the log is full after fewer events, since each of them has to be processed afterwards. */
const filling = 'x'.repeat(isLong ? 400 : 4_000);

async function sendBatch(sender: number): Promise<Answered> {
  const batch = Array.from({ length: BATCH }, (_, n) => ({
    event: 'pressed',
    distinct_id: `sender-${sender}-${n}`,
    properties: { filling, n },
  }));
  const answer = await sendJson(program.port, '/batch/', { api_key: TOKEN, batch });
  if (answer.status === 200) acknowledged += BATCH;
  return answer;
}

/** Runs the senders until told to stop; each answer is looked at. */
async function underLoad(paceMs: number, look: (answer: Answered) => void, act: () => Promise<void>): Promise<void> {
  let sending = true;
  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    while (sending) {
      look(await sendBatch(sender));
      await delay(paceMs);
    }
  });
  try {
    await Promise.race([act(), Promise.all(senders)]);
  } finally {
    sending = false;
    await Promise.all(senders);
  }
}

async function requireAllStored(): Promise<void> {
  const accounts = await waitUntilProcessed(program.port, PROCESSED_MS_MAX, program.output);
  const [row] = await program.ask<{ rows: string }>(`select count() as rows from events where event = 'pressed'`);
  assert.equal(Number(row!.rows), acknowledged);
  assert.equal(accounts.stored, acknowledged);
  checkAccounts(accounts);
}

/** Does something and looks at the memory that the program had at most meanwhile. */
async function requireFlatMemory(act: () => Promise<void>): Promise<void> {
  const calm = watchOwnMemory(program.pid).stop();
  const watch = watchOwnMemory(program.pid);
  await act();
  const grown = watch.stop() - calm;
  assert.ok(grown < GROWN_MB_MAX, `memory grew by ${Math.round(grown)} MB`);
}

test('before anything happens, events arrive', async () => {
  await underLoad(
    20,
    ({ status, text }) => assert.equal(status, 200, text),
    () => delay(isLong ? 1_000 : 200),
  );
  await requireAllStored();
});

test(`a ClickHouse that is killed for ${AWAY_MS / 1000} s, more than once, is not noticed by those who send`, async () => {
  const until = performance.now() + AWAY_MS;
  let kills = 0;
  await requireFlatMemory(() =>
    underLoad(
      PACE_MS,
      ({ status, text }) => assert.equal(status, 200, text),
      async () => {
        while (performance.now() < until || kills < KILLS_MIN) {
          const pid = program.findEngine('ClickHouse');
          if (pid !== undefined) {
            process.kill(pid, 'SIGKILL');
            kills += 1;
          }
          await delay(50);
        }
      },
    ),
  );
  await requireAllStored();
});

test('a log that is full is a 503 with Retry-After; then everything that was acknowledged arrives', async () => {
  const pid = program.findEngine('ClickHouse');
  assert.ok(pid, 'ClickHouse is not running');
  let refusals = 0;
  const look = ({ status, text, retryAfter }: Answered) => {
    if (status === 200) return;
    assert.deepEqual([status, retryAfter], [503, '1'], text);
    refusals += 1;
  };
  process.kill(pid, 'SIGSTOP');
  try {
    const isFull = () => (refusals > REFUSALS_MIN ? true : undefined);
    const hint = () => `the log does not get full: ${acknowledged} events\n${program.output().slice(-1_000)}`;
    await requireFlatMemory(() => underLoad(10, look, async () => void (await waitFor(isFull, 120_000, hint))));
    const full = await readAccounts(program.port);
    assert.ok(full && full.lag > 0, 'events wait in the log, and can be counted');
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  // Senders come again and find the door open, without anybody's help.
  await waitFor(async () => ((await sendBatch(0)).status === 200 ? true : undefined), 120_000, program.output);
  await requireAllStored();
});
