// What a run or a backfill says about itself, for those who own the export.
import { sql } from 'kysely';
import type { LogLevel, LogRow } from '../metadata/tables-exports.ts';
import type { Db } from './sql.ts';

const MESSAGE_CHARACTERS_MAX = 4_000;
/** A run that says more than this has nothing to say. */
const LINES_MAX = 2_000;

interface Line {
  timestamp: string;
  level: LogLevel;
  message: string;
}

/** Keeps lines until they are written together; what must not be shown is taken out at once. */
export class RunLog {
  readonly #place: { batch_export_id: string; instance_id: string };
  readonly #hide: (text: string) => string;
  #lines: Line[] = [];
  #count = 0;

  constructor(batch_export_id: string, instance_id: string, hide: (text: string) => string = (text) => text) {
    this.#place = { batch_export_id, instance_id };
    this.#hide = hide;
  }

  readonly say = (level: LogLevel, message: string): void => {
    this.#count += 1;
    if (this.#count > LINES_MAX && level !== 'ERROR') return;
    const shown = this.#hide(message).replaceAll('\0', '').slice(0, MESSAGE_CHARACTERS_MAX);
    this.#lines.push({ timestamp: new Date().toISOString(), level, message: shown });
  };

  async write(db: Db): Promise<void> {
    const lines = this.#lines;
    if (lines.length === 0) return;
    this.#lines = [];
    await db
      .insertInto('batch_export_log')
      .values(lines.map((line) => ({ ...this.#place, ...line })))
      .execute();
  }
}

const KEPT = '30 days';

/** What nobody has asked for in so long is not asked for any more; the runs themselves stay. */
export async function forgetOldLines(db: Db): Promise<void> {
  await sql`delete from batch_export_log where timestamp < clock_timestamp() - ${KEPT}::interval`.execute(db);
}

export interface LogQuestion {
  batch_export_id: string;
  instance_id?: string | undefined;
  /** Both exclusive. */
  after?: string | undefined;
  before?: string | undefined;
  levels: readonly LogLevel[];
  search?: string | undefined;
  limit: number;
}

/** Newest first. */
export function listLog(db: Db, question: LogQuestion): Promise<LogRow[]> {
  const { batch_export_id, instance_id, after, before, levels, search, limit } = question;
  let query = db.selectFrom('batch_export_log').selectAll().where('batch_export_id', '=', batch_export_id);
  if (instance_id !== undefined) query = query.where('instance_id', '=', instance_id);
  if (after !== undefined) query = query.where('timestamp', '>', after);
  if (before !== undefined) query = query.where('timestamp', '<', before);
  if (levels.length > 0) query = query.where('level', 'in', levels);
  if (search !== undefined) query = query.where('message', 'ilike', `%${search.replace(/[\\%_]/g, '\\$&')}%`);
  return query.orderBy('timestamp', 'desc').orderBy('id', 'desc').limit(limit).execute();
}
