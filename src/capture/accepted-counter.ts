// The name under which the log counts the events that were accepted for a project in an hour.

const HOUR_MS = 3_600_000;
const PREFIX = 'accepted:';

/** For `EventLog.append`: all events of a request count, also those that are left out at the door. */
export function acceptedCounter(team_id: number, nowMs: number): string {
  return `${PREFIX}${team_id}:${Math.floor(nowMs / HOUR_MS)}`;
}

/** The prefix of all such names, or of those of one project. */
export const acceptedPrefix = (team_id?: number): string => (team_id === undefined ? PREFIX : `${PREFIX}${team_id}:`);

export function parseAcceptedCounter(name: string): { team_id: number; hourMs: number } {
  const [, team_id, hour] = name.split(':');
  return { team_id: Number(team_id), hourMs: Number(hour) * HOUR_MS };
}
