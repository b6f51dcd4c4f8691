// Events that the program sends to a project itself. They take the way that all events take.
import type { EventLog } from '../log/log.ts';
import { acceptedCount } from './endpoints.ts';
import { eventEncoder } from './record.ts';
import { makeUuidV7 } from './uuid.ts';

export interface OwnEvent {
  team_id: number;
  event: string;
  distinct_id: string;
  properties: Record<string, unknown>;
}

/** Resolves when the log has the event. */
export async function captureOwn(log: EventLog, { team_id, event, distinct_id, properties }: OwnEvent): Promise<void> {
  const now = Date.now();
  const encode = eventEncoder({ team_id, now, sent_at: undefined, ip: undefined, historical_migration: false });
  const bytes = Buffer.from(JSON.stringify(properties));
  const value = encode({ uuid: makeUuidV7(now), event, distinct_id, properties: bytes });
  await log.append([{ key: `${team_id}:${distinct_id}`, value }], acceptedCount({ team_id, now }, 1));
}
