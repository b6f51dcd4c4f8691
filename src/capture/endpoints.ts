// The public endpoints that take events: decode, validate, recognise the key, append to the log, answer.
import type { PublicAnswer, PublicEndpoint, PublicRequest } from '../http/public.ts';
import type { Counts, EventLog, LogEntry } from '../log/log.ts';
import { when } from '../platform/when.ts';
import { acceptedCounter } from './accepted-counter.ts';
import { CaptureError } from './capture-error.ts';
import { clientAddress } from './client-address.ts';
import { type DecodedBody, decodeBody, decodePlainBody, rawRequest } from './decode-body.ts';
import type { CaptureDrop, DropDetails } from './drops.ts';
import { type CapturedRequest, readEvents } from './read-events.ts';
import { encodeDrop, eventEncoder, type RequestFacts } from './record.ts';

export interface CaptureParts {
  log: EventLog;
  /** The project of a key; undefined when no project has it. */
  findProject(token: string): Promise<number | undefined> | number | undefined;
  /** Refuse a whole request for one bad event, in the words of the original's newer service. */
  strict: boolean;
  now?: () => number;
}

const PATHS = ['/capture', '/batch', '/e', '/i/v0/e', '/i/v0/ai/batch', '/track', '/engage'];
const REPLAY_PATH = '/s';

const ACCEPTED: PublicAnswer = { status: 200, body: '{"status":"Ok"}' };
const ACCEPTED_BEACON: PublicAnswer = { status: 204, body: '' };

export function captureEndpoints(parts: CaptureParts): PublicEndpoint[] {
  const refuse = (error: unknown) => refusal(error, parts.strict);
  return [
    { paths: PATHS, handle: (request) => capture(request, parts), refuse },
    { paths: [REPLAY_PATH], handle: (request) => captureReplay(request, parts), refuse },
  ];
}

async function capture(request: PublicRequest, parts: CaptureParts): Promise<PublicAnswer> {
  const received = receive(request, parts);
  // Nothing has to be waited for, most of the time.
  const { captured, facts } = received instanceof Promise ? await received : received;
  await append(parts.log, captured, facts);
  return accepted(request);
}

/** Recordings are not stored yet. They are taken off the sender's hands, counted, and dropped with their reason. */
async function captureReplay(request: PublicRequest, parts: CaptureParts): Promise<PublicAnswer> {
  const { captured, facts } = await receive(request, { ...parts, strict: false });
  const { events, drops } = captured;
  const [first] = events;
  const details: DropDetails = { index: 0, ...(first && { event: first.event, distinct_id: first.distinct_id }) };
  const replay: CaptureDrop[] = first ? [{ reason: 'replay_not_supported', count: events.length, details }] : [];
  await append(parts.log, { ...captured, events: [], drops: [...drops, ...replay] }, facts);
  return accepted(request);
}

const accepted = ({ query }: PublicRequest) => (query.get('beacon') === '1' ? ACCEPTED_BEACON : ACCEPTED);

interface Received {
  captured: CapturedRequest;
  facts: RequestFacts;
}

/** A promise only for what is packed, large, or from a project that was not heard of before. */
function receive(
  request: PublicRequest,
  { findProject, strict, now = Date.now }: CaptureParts,
): Received | Promise<Received> {
  const { query, headers, path, socketAddress } = request;
  const nowMs = now();
  const raw = rawRequest(request);
  const read = ({ bytes, form_token }: DecodedBody) =>
    readEvents(bytes, {
      engage: path === '/engage',
      strict,
      nowMs,
      sent_at_ms: query.get('sent_at') ?? query.get('_') ?? undefined,
      fallback_token: form_token ?? query.get('token') ?? query.get('api_key') ?? undefined,
    });
  const toReceived = (captured: CapturedRequest, team_id: number | undefined): Received => {
    if (team_id === undefined) {
      throw new CaptureError(401, 'invalid_api_key', 'API key is not valid: no project has it');
    }
    const { sent_at, historical_migration } = captured;
    const ip = clientAddress(headers, socketAddress);
    return { captured, facts: { team_id, now: nowMs, sent_at, ip, historical_migration } };
  };
  return when(when(decodePlainBody(raw) ?? decodeBody(raw), read), (captured) =>
    when(findProject(captured.token), (team_id) => toReceived(captured, team_id)),
  );
}

/** Everything of a request is appended at once, with its count: it is in the log as a whole, or not at all. */
function append(log: EventLog, { events, drops }: CapturedRequest, facts: RequestFacts): Promise<void> {
  const encode = eventEncoder(facts);
  const entries: LogEntry[] = events.map((event) => ({
    key: `${facts.team_id}:${event.distinct_id}`,
    value: encode(event),
    changesNobody: event.changesNobody ?? false,
  }));
  for (const drop of drops) entries.push({ key: `${facts.team_id}:`, value: encodeDrop(drop, facts) });
  const count = drops.reduce((sum, drop) => sum + drop.count, events.length);
  return log.append(entries, acceptedCount(facts, count));
}

/** How many events a project sent in an hour, for the accounting. */
export const acceptedCount = ({ team_id, now }: Pick<RequestFacts, 'team_id' | 'now'>, count: number): Counts => ({
  [acceptedCounter(team_id, now)]: count,
});

/** The wire's JSON error body; a strict server answers the bare text that the original's newer service does. */
function refusal(error: unknown, strict: boolean): PublicAnswer | undefined {
  if (!(error instanceof CaptureError)) return undefined;
  const { status, code, message } = error;
  if (strict) return { status, body: message, type: 'text/plain; charset=utf-8' };
  const type = status === 401 ? 'authentication_error' : 'validation_error';
  return { status, body: JSON.stringify({ type, code, detail: message, attr: null }) };
}
