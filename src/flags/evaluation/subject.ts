// For whom flags are evaluated, and with what knowledge.
import { type PropertyLayers, unknownFact } from './properties.ts';

export interface GroupSubject {
  readonly key: string;
  readonly properties: PropertyLayers;
}

export interface Subject {
  readonly distinct_id: string;
  readonly device_id?: string | undefined;
  /** The id of the visitor who has just been identified. */
  readonly anon_distinct_id?: string | undefined;
  readonly person: PropertyLayers;
  /** By group type index: only groups that the request names. */
  readonly groups: ReadonlyMap<number, GroupSubject>;
  /** Cohorts with kept membership that the person is in; undefined when that could not be read. */
  readonly cohorts: ReadonlySet<number> | undefined;
  /** By flag key: the id that was hashed before; undefined when that could not be read. */
  readonly hashKeys: ReadonlyMap<string, string> | undefined;
  readonly nowMs: number;
}

export const isMember = ({ cohorts }: Subject, cohort_id: number): boolean =>
  cohorts ? cohorts.has(cohort_id) : unknownFact();
