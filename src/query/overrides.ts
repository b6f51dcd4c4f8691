// Whether some ids of a project belong to other persons than its rows say, since persons were merged. Statements are
// simpler where none does, and what held for the last question nearly always holds for the next. So a question begins
// with that guess while the engine is asked; it is begun anew where the guess was wrong.
import type { Statement } from '../filters/ask.ts';
import type { Asker, Engine } from './ask.ts';

export class OverrideGuesses {
  readonly #engine: Pick<Engine, 'rows'>;
  /** The projects that had overrides when last looked at. */
  readonly #overridden = new Set<number>();

  constructor(engine: Pick<Engine, 'rows'>) {
    this.#engine = engine;
  }

  /** What `answer` gives when it is told the truth. It may be told something else before, and is stopped then. */
  async use<T>(asker: Asker, answer: (hasOverrides: boolean, signal: AbortSignal) => Promise<T>): Promise<T> {
    const { team_id, signal } = asker;
    const looking = hasOverrides(this.#engine, asker);
    const guessed = this.#overridden.has(team_id);
    const stop = new AbortController();
    const guessedAnswer = answer(guessed, AbortSignal.any([signal, stop.signal]));
    // Whether it matters how it ended is only known once the engine has been looked at.
    guessedAnswer.catch(() => {});
    const found = await looking.catch((error: unknown) => {
      stop.abort();
      throw error;
    });
    if (found === guessed) return guessedAnswer;
    stop.abort();
    this.#note(team_id, found);
    return answer(found, signal);
  }

  #note(team_id: number, isOverridden: boolean): void {
    if (isOverridden) this.#overridden.add(team_id);
    else this.#overridden.delete(team_id);
  }
}

export async function hasOverrides(engine: Pick<Engine, 'rows'>, asker: Asker): Promise<boolean> {
  const found = await engine.rows(asker, findOverride(asker.team_id));
  return found.length > 0;
}

const findOverride = (team_id: number): Statement => ({
  text: 'SELECT 1 AS found FROM person_distinct_id_overrides WHERE team_id = {team_id:Int64} LIMIT 1',
  params: { team_id },
});
