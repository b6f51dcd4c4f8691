// Statements about rules that say who may see and who may edit one dashboard.
import { type Selectable, sql } from 'kysely';
import type { AccessControlTable, AccessLevel } from '../../metadata/tables.ts';
import type { Db, Tx } from '../sql.ts';

export type AccessControlRow = Selectable<AccessControlTable>;

/** The rule for everyone first. */
export function listRules(db: Db, dashboard_id: number): Promise<AccessControlRow[]> {
  return db
    .selectFrom('access_control')
    .selectAll()
    .where('dashboard_id', '=', dashboard_id)
    .orderBy(sql`membership_id is not null`)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Whom a rule is for: one member, or everyone who has none of their own. */
export interface RuleKey {
  dashboard_id: number;
  membership_id: string | null;
}

export function findRule(db: Db, { dashboard_id, membership_id }: RuleKey): Promise<AccessControlRow | undefined> {
  return db
    .selectFrom('access_control')
    .selectAll()
    .where('dashboard_id', '=', dashboard_id)
    .where('membership_id', 'is not distinct from', membership_id)
    .executeTakeFirst();
}

export function upsertRule(
  tx: Tx,
  key: RuleKey,
  { access_level, created_by_id }: { access_level: AccessLevel; created_by_id: number },
): Promise<AccessControlRow> {
  return tx
    .insertInto('access_control')
    .values({ ...key, access_level, created_by_id })
    .onConflict((conflict) =>
      conflict
        .columns(['dashboard_id', 'membership_id'])
        .doUpdateSet({ access_level, updated_at: sql`clock_timestamp()` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteRule(tx: Tx, { dashboard_id, membership_id }: RuleKey): Promise<void> {
  await tx
    .deleteFrom('access_control')
    .where('dashboard_id', '=', dashboard_id)
    .where('membership_id', 'is not distinct from', membership_id)
    .execute();
}

export async function isMembership(db: Db, organization_id: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('membership')
    .select('id')
    .where('id', '=', id)
    .where('organization_id', '=', organization_id)
    .executeTakeFirst();
  return row !== undefined;
}
