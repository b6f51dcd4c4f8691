// Flags over all projects of an organization.
import { sql } from 'kysely';
import { z } from 'zod';
import { anything, optional } from '../../http/fields.ts';
import { organizationRoute, Reply, type Route } from '../../http/route.ts';
import type { ProjectRow } from '../../metadata/tables.ts';
import { parseId } from '../../projects/access/gate.ts';
import { UserBasic } from '../../projects/wire.ts';
import type { Definitions } from '../definitions.ts';
import { toMinimalFlag } from '../local-evaluation.ts';
import { type PayloadVault, withoutSecrets } from '../secret-payloads.ts';
import { copyFlag, toCopyFault } from './copy.ts';
import { type Db, findAuthors, findFlagByKey } from './sql.ts';
import { toAuthor } from './wire.ts';

const FlagOfProject = z.strictObject({
  flag_id: z.int(),
  team_id: z.int(),
  created_by: UserBasic.nullable(),
  filters: z.record(z.string(), z.unknown()),
  created_at: z.string(),
  active: z.boolean(),
});

const Copied = z.strictObject({
  success: z.array(z.record(z.string(), z.unknown())),
  failed: z.array(z.strictObject({ project_id: z.unknown(), errors: z.string() })),
});

export interface OrganizationFlagParts {
  db: Db;
  vault: PayloadVault;
  definitions: Definitions;
}

export function organizationFlagRoutes({ db, vault, definitions }: OrganizationFlagParts): Route[] {
  const findProject = (organization_id: string, id: unknown): Promise<ProjectRow | undefined> =>
    db
      .selectFrom('project')
      .selectAll()
      .where('id', '=', parseId(String(id)) ?? 0)
      .where('organization_id', '=', organization_id)
      .executeTakeFirst();

  return [
    organizationRoute('GET', '/feature_flags/:key/', {
      scope: 'feature_flag:read',
      summary: 'The flags with this key, in all projects of the organization',
      returns: z.array(FlagOfProject),
      async handle({ organization, params }) {
        const flags = await db
          .selectFrom('feature_flag')
          .innerJoin('project', 'project.id', 'feature_flag.team_id')
          .selectAll('feature_flag')
          .where('organization_id', '=', organization.id)
          .where(sql<boolean>`feature_flag.key = ${params.key ?? ''} and not feature_flag.deleted`)
          .orderBy('feature_flag.team_id')
          .execute();
        const authors = await findAuthors(
          db,
          flags.map(({ created_by_id }) => created_by_id),
        );
        return flags.map((flag) => ({
          flag_id: flag.id,
          team_id: flag.team_id,
          created_by: toAuthor(authors, flag.created_by_id),
          filters: withoutSecrets(flag),
          created_at: flag.created_at,
          active: flag.active,
        }));
      },
    }),

    organizationRoute('POST', '/feature_flags/copy_flags/', {
      scope: 'feature_flag:write',
      summary: 'Copy a flag to other projects, or bring those there in line with it',
      body: z.object({
        feature_flag_key: optional(anything('The key of the flag.')),
        from_project: optional(anything('The id of its project.')),
        target_project_ids: optional(anything('Ids of the projects that get it.')),
      }),
      returns: z.union([Copied, z.strictObject({ error: z.string() })]),
      async handle({ organization, user, body: { feature_flag_key: key, from_project, target_project_ids: targets } }) {
        if (typeof key !== 'string' || !from_project || !Array.isArray(targets) || targets.length === 0) {
          return new Reply(400, { error: 'Missing required fields' });
        }
        const from = await findProject(organization.id, from_project);
        const flag = from && (await findFlagByKey(db, from.id, key));
        if (!flag) return new Reply(400, { error: 'Feature flag to copy does not exist.' });
        const answer: z.output<typeof Copied> = { success: [], failed: [] };
        for (const project_id of targets) {
          const project = await findProject(organization.id, project_id);
          if (!project) {
            answer.failed.push({ project_id, errors: 'Project not found.' });
            continue;
          }
          try {
            const copied = await copyFlag({ db, vault, user }, flag, project);
            await definitions.refresh(project.id);
            answer.success.push(toMinimalFlag(copied));
          } catch (error) {
            answer.failed.push({ project_id, errors: toCopyFault(error) });
          }
        }
        return answer;
      },
    }),
  ];
}
