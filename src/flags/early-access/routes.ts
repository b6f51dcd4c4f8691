// Early access features over the management API: each goes with a flag, which it opens and closes.
import { sql } from 'kysely';
import type { z } from 'zod';
import { invalid } from '../../http/errors.ts';
import { paged, readPage } from '../../http/paging.ts';
import { created, empty, projectRoute, type Route } from '../../http/route.ts';
import type { AccountRow, EarlyAccessFeatureRow, EarlyAccessStage, FeatureFlagRow } from '../../metadata/tables.ts';
import { inTransaction } from '../../metadata/transaction.ts';
import type { Definitions } from '../definitions.ts';
import { readFilters } from '../evaluation/definition.ts';
import { loaderByUuid } from '../load.ts';
import { createFlag } from '../management/change.ts';
import { type Db, findFlag, lockFlag, recordFlagActivity, updateFlag } from '../management/sql.ts';
import { toFlagKey, withEnrollment } from './enrollment.ts';
import { EarlyAccessChange, EarlyAccessFeature, EarlyAccessPage, NewEarlyAccess, toEarlyAccess } from './wire.ts';

const READ = { scope: 'early_access_feature:read' };
const WRITE = { scope: 'early_access_feature:write' };

export function earlyAccessRoutes(db: Db, definitions: Definitions): Route[] {
  const load = loaderByUuid((team_id, id) => findFeature(db, team_id, id));
  const show = async (feature: EarlyAccessFeatureRow) => {
    const { team_id, feature_flag_id } = feature;
    return toEarlyAccess(feature, feature_flag_id === null ? undefined : await findFlag(db, team_id, feature_flag_id));
  };

  return [
    projectRoute('GET', '/early_access_feature/', {
      ...READ,
      summary: 'List the early access features, newest first',
      query: { limit: 'Page size, 100 unless given.', offset: 'Where the page starts.' },
      returns: EarlyAccessPage,
      async handle({ project, query, url }) {
        const page = readPage(query);
        const { count, features } = await listFeatures(db, project.id, page);
        return paged(url, page, count, await Promise.all(features.map(show)));
      },
    }),

    projectRoute('POST', '/early_access_feature/', {
      ...WRITE,
      summary: 'Create an early access feature, with a flag or for one',
      body: NewEarlyAccess,
      returns: EarlyAccessFeature,
      status: 201,
      async handle({ project, user, body }) {
        const feature = await createFeature(db, project.id, user, body);
        await definitions.refresh(project.id);
        return created(await show(feature));
      },
    }),

    projectRoute('GET', '/early_access_feature/:id/', {
      ...READ,
      summary: 'Read an early access feature',
      returns: EarlyAccessFeature,
      load,
      handle: ({ found }) => show(found),
    }),

    projectRoute('PATCH', '/early_access_feature/:id/', {
      ...WRITE,
      summary: 'Change an early access feature; its stage opens and closes the flag',
      body: EarlyAccessChange,
      returns: EarlyAccessFeature,
      load,
      async handle({ found, user, body }) {
        const feature = await changeFeature(db, found, user, body);
        await definitions.refresh(found.team_id);
        return show(feature);
      },
    }),

    projectRoute('DELETE', '/early_access_feature/:id/', {
      ...WRITE,
      summary: 'Delete an early access feature; its flag stays, without enrolment',
      status: 204,
      load,
      async handle({ found, user }) {
        await inTransaction(db, async (tx) => {
          await openFlag(tx, found, user, undefined);
          await tx.deleteFrom('early_access_feature').where('id', '=', found.id).execute();
        });
        await definitions.refresh(found.team_id);
        return empty(204);
      },
    }),
  ];
}

const findFeature = (db: Db, team_id: number, id: string): Promise<EarlyAccessFeatureRow | undefined> =>
  db
    .selectFrom('early_access_feature')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .executeTakeFirst();

async function listFeatures(db: Db, team_id: number, { limit, offset }: { limit: number; offset: number }) {
  const all = db.selectFrom('early_access_feature').where('team_id', '=', team_id);
  const { count } = await all.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  const features = await all
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { count, features };
}

function createFeature(db: Db, team_id: number, user: AccountRow, body: z.output<typeof NewEarlyAccess>) {
  const { name, stage, description = '', documentation_url = '', feature_flag_id } = body;
  return inTransaction(db, async (tx) => {
    const flag =
      feature_flag_id === undefined || feature_flag_id === null
        ? await makeFlag(tx, team_id, user, name)
        : await getFreeFlag(tx, team_id, feature_flag_id);
    const feature = await tx
      .insertInto('early_access_feature')
      .values({ team_id, feature_flag_id: flag.id, name, stage, description, documentation_url })
      .returningAll()
      .executeTakeFirstOrThrow();
    await openFlag(tx, feature, user, stage);
    return feature;
  });
}

const makeFlag = (tx: Db, team_id: number, user: AccountRow, name: string) =>
  createFlag(tx, team_id, user, {
    key: toFlagKey(name),
    name: `Feature Flag for Feature ${name}`,
    filters: { groups: [{ properties: [], rollout_percentage: 0 }] },
    creation_context: 'early_access_features',
  });

/** A flag that a feature can go with: nobody else's, for people, and either on or off. */
async function getFreeFlag(tx: Db, team_id: number, id: number): Promise<FeatureFlagRow> {
  const flag = await lockFlag(tx, team_id, id);
  if (!flag || flag.deleted) throw invalid('Feature Flag with this ID does not exist');
  const taken = await tx
    .selectFrom('early_access_feature')
    .select('id')
    .where('feature_flag_id', '=', id)
    .executeTakeFirst();
  if (taken) throw invalid(`Linked feature flag ${flag.key} already has a feature attached to it.`);
  const { group_type_index, variants } = readFilters(flag);
  if (group_type_index !== null) {
    throw invalid('Group-based feature flags are not supported for Early Access Features.');
  }
  if (variants.length > 0) throw invalid('Multivariate feature flags are not supported for Early Access Features.');
  return flag;
}

function changeFeature(
  db: Db,
  feature: EarlyAccessFeatureRow,
  user: AccountRow,
  body: z.output<typeof EarlyAccessChange>,
) {
  const changes = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  return inTransaction(db, async (tx) => {
    const changed = await tx
      .updateTable('early_access_feature')
      .set({ ...changes, id: feature.id })
      .where('id', '=', feature.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (changed.stage !== feature.stage) await openFlag(tx, changed, user, changed.stage);
    return changed;
  });
}

/** Keeps the flag in step with the feature's stage; without a stage nobody can choose any more. */
async function openFlag(
  tx: Db,
  { team_id, feature_flag_id }: EarlyAccessFeatureRow,
  user: AccountRow,
  stage: EarlyAccessStage | undefined,
): Promise<void> {
  const before = feature_flag_id === null ? undefined : await lockFlag(tx, team_id, feature_flag_id);
  if (!before) return;
  const after = await updateFlag(tx, before.id, user.id, {
    filters: withEnrollment(before.filters, before.key, stage),
  });
  await recordFlagActivity(tx, user.id, before, after);
}
