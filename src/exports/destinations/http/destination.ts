// Another installation's `/batch/`: how a project moves from one to another.
import type { NetworkGuard } from '../../network/guard.ts';
import type { Config, Destination, Shipment, Shipped } from '../destination.ts';
import { DestinationError } from '../destination.ts';
import { readLines } from '../lines.ts';
import { JSON_LINE_SETTINGS } from '../row-sql.ts';
import { batchItemSql } from './rows.ts';
import { openSender, type Sender } from './send.ts';

/** Well below what servers take in one request. */
const BATCH_BYTES_MAX = 8 * 1024 * 1024;
const BATCH_EVENTS_MAX = 5_000;
const SORT_BYTES_IN_MEMORY = 256 * 1024 * 1024;

/** A person waits for the result of a test. */
const TEST_WAIT_MS = 100;

interface HttpConfig {
  readonly url: string;
  readonly token: string;
}

/** @param waitMs before a batch is sent again; a test waits less */
export function httpDestination(guard: NetworkGuard, waitMs?: number): Destination {
  return {
    type: 'HTTP',
    models: ['events'],
    fields: {
      url: { type: 'str', required: true },
      token: { type: 'str', required: true, secret: true },
    },
    async ship(shipment) {
      if (shipment.customColumns) {
        const text = 'Chosen columns cannot be sent as events. Remove `hogql_query`';
        throw new DestinationError('UnsupportedSchema', text, { final: true });
      }
      const { url, token } = parse(shipment.config);
      const sender = openSender(url, guard, shipment.signal, waitMs);
      return sendBatches(shipment, token, sender).finally(() => sender.close());
    },
    tests: [
      {
        name: 'Check the server takes events',
        description: 'Ensure a server answers at the configured URL, and that it knows the token.',
        async run(config, signal) {
          const { url, token } = parse(config);
          const sender = openSender(url, guard, signal, TEST_WAIT_MS);
          await sender
            .send(bodyOf(token, []))
            .catch(passRefusalOfNothing)
            .finally(() => sender.close());
        },
      },
    ],
  };
}

const parse = (config: Config) => config as unknown as HttpConfig;

const bodyOf = (token: string, items: readonly string[]): Buffer =>
  Buffer.from(`{"api_key":${JSON.stringify(token)},"historical_migration":true,"batch":[${items.join(',')}]}`);

/** Some servers have nothing against the token, but against a batch without events. */
function passRefusalOfNothing(error: unknown): void {
  if (error instanceof DestinationError && /^The server refused the events with 400.*empty/is.test(error.message))
    return;
  throw error;
}

async function sendBatches(shipment: Shipment, token: string, sender: Sender): Promise<Shipped> {
  const rows = await shipment.read({
    select: [{ name: 'item', sql: batchItemSql() }],
    // People are merged and changed in the order in which events arrive.
    orderBy: '_inserted_at, timestamp, uuid',
    format: 'TabSeparatedRaw',
    settings: { ...JSON_LINE_SETTINGS, max_bytes_before_external_sort: SORT_BYTES_IN_MEMORY },
  });
  const done = { records: 0, bytes: 0 };
  let items: string[] = [];
  let length = 0;
  const flush = async () => {
    const body = bodyOf(token, items);
    await sender.send(body);
    done.records += items.length;
    done.bytes += body.length;
    shipment.progress(done);
    [items, length] = [[], 0];
  };
  for await (const line of readLines(rows)) {
    if (items.length > 0 && length + line.length > BATCH_BYTES_MAX) await flush();
    items.push(line);
    length += line.length;
    if (items.length === BATCH_EVENTS_MAX) await flush();
  }
  if (items.length > 0) await flush();
  if (done.records !== shipment.total) {
    const text = `The event store answered with ${done.records} rows of ${shipment.total}.`;
    throw new DestinationError('IncompleteRead', text, { final: false });
  }
  return done;
}
