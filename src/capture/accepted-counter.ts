// The name under which the log counts the events that were accepted for a project in an hour.

const HOUR_MS = 3_600_000;
const PREFIX = 'accepted:';

/** Most requests are about the same project and hour as the one before. */
let last = { team_id: Number.NaN, hour: 0, name: '' };

/** For `EventLog.append`: all events of a request count, also those that are left out at the door. */
export function acceptedCounter(team_id: number, nowMs: number): string {
  const hour = Math.floor(nowMs / HOUR_MS);
  if (last.team_id !== team_id || last.hour !== hour) last = { team_id, hour, name: `${PREFIX}${team_id}:${hour}` };
  return last.name;
}

/** The prefix of all such names, or of those of one project. */
export const acceptedPrefix = (team_id?: number): string => (team_id === undefined ? PREFIX : `${PREFIX}${team_id}:`);

export function parseAcceptedCounter(name: string): { team_id: number; hourMs: number } {
  const [, team_id, hour] = name.split(':');
  return { team_id: Number(team_id), hourMs: Number(hour) * HOUR_MS };
}
