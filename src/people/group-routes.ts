// Groups: companies, teams, whatever a project's people belong to together.
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { invalid, notFound } from '../http/errors.ts';
import { projectRoute, type Route } from '../http/route.ts';
import type { Database } from '../metadata/tables.ts';
import { findGroup, listGroups, listGroupTypes } from './read.ts';
import { Group, GroupList, GroupType, toGroup, toGroupType } from './wire.ts';

const PAGE_GROUPS = 100;

const whichType = 'Number of the group type, 0 to 4.';

export const groupRoutes = (db: Kysely<Database>): Route[] => [
  projectRoute('GET', '/groups/', {
    summary: 'List groups of one type',
    scope: 'group:read',
    limit: 'analytics',
    returns: GroupList,
    query: {
      group_type_index: whichType,
      search: 'Finds part of a key or of a name.',
      cursor: 'Where the page before ended; part of `next`.',
    },
    async handle({ project, query, url }) {
      const group_type_index = readTypeIndex(
        query,
        'You must pass ?group_type_index= in this URL. To get a list of valid group types, call /api/:project_id/groups_types/.',
      );
      const search = query.get('search') || query.get('group_key') || '';
      const cursor = query.get('cursor');
      const found = await listGroups(
        db,
        project.id,
        { group_type_index, ...(search && { search }) },
        { limit: PAGE_GROUPS + 1, ...(cursor && { after: Buffer.from(cursor, 'base64url').toString() }) },
      );
      const page = found.slice(0, PAGE_GROUPS);
      const last = page.at(-1);
      return {
        next: last && found.length > PAGE_GROUPS ? nextLink(url, last.group_key) : null,
        previous: null,
        results: page.map(toGroup),
      };
    },
  }),

  projectRoute('GET', '/groups/find/', {
    summary: 'Retrieve a group by its key',
    scope: 'group:read',
    returns: Group,
    query: { group_type_index: whichType, group_key: 'The whole key.' },
    async handle({ project, query }) {
      const group_type_index = readTypeIndex(query, 'This query parameter is required.');
      const group_key = query.get('group_key');
      if (!group_key) throw invalid('This query parameter is required.', 'group_key');
      const group = await findGroup(db, project.id, group_type_index, group_key);
      if (!group) throw notFound();
      return toGroup(group);
    },
  }),

  projectRoute('GET', '/groups_types/', {
    summary: 'List the group types',
    scope: 'group:read',
    returns: z.array(GroupType),
    handle: async ({ project }) => (await listGroupTypes(db, project.id)).map(toGroupType),
  }),
];

function readTypeIndex(query: URLSearchParams, whenMissing: string): number {
  const text = query.get('group_type_index');
  if (!text) throw invalid(whenMissing, 'group_type_index');
  if (!/^\d{1,4}$/.test(text)) throw invalid('A valid integer is required.', 'group_type_index');
  return Number(text);
}

function nextLink(url: URL, group_key: string): string {
  const link = new URL(url);
  link.searchParams.set('cursor', Buffer.from(group_key).toString('base64url'));
  return link.href;
}
