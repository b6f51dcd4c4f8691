// Projects: list, create, read, change, delete, and a new project key.
import type { Kysely } from 'kysely';
import type { Caller } from '../http/caller.ts';
import { invalid } from '../http/errors.ts';
import { paged, readPage } from '../http/paging.ts';
import { callerRoute, created, empty, organizationRoute, projectRoute, type Route } from '../http/route.ts';
import type { Database, MembershipLevel } from '../metadata/tables.ts';
import { newProjectToken } from './access/credentials.ts';
import { requireAdmin } from './access/levels.ts';
import { pickSettings } from './settings.ts';
import { deleteProject, insertProject, listOrganizationsOf, listProjects, updateProject } from './sql.ts';
import type { ProjectTokens } from './tokens.ts';
import { Project, ProjectBasic, ProjectDraft, pagedOf, requireTimezone, toProject, toProjectBasic } from './wire.ts';

const pageQuery = { limit: 'Page size, 100 unless given.', offset: 'Where the page starts.' };

const scopedTeams = ({ credential }: Caller) => (credential.kind === 'key' ? credential.scoped_teams : []);

export const projectRoutes = (db: Kysely<Database>, tokens: ProjectTokens): Route[] => [
  ...['/projects/', '/environments/'].flatMap((path) => [
    callerRoute('GET', path, {
      summary: 'List the projects you can see',
      scope: 'project:read',
      query: pageQuery,
      returns: pagedOf(ProjectBasic),
      async handle({ user, caller, url, query }) {
        const page = readPage(query);
        const visible = { user_id: user.id, scoped_teams: scopedTeams(caller) };
        const { count, projects } = await listProjects(db, visible, page);
        return paged(url, page, count, projects.map(toProjectBasic));
      },
    }),

    callerRoute('POST', path, {
      summary: 'Create a project in your current organization',
      scope: 'project:write',
      body: ProjectDraft,
      returns: Project,
      status: 201,
      async handle({ user, body }) {
        const memberships = await listOrganizationsOf(db, user.id);
        const current = memberships.find(({ organization }) => organization.id === user.current_organization_id);
        if (!current) throw invalid('You need to belong to an organization to create a project.');
        return createProject(db, current.organization.id, current.level, body);
      },
    }),
  ]),

  organizationRoute('GET', '/projects/', {
    summary: 'List the projects of an organization',
    scope: 'project:read',
    query: pageQuery,
    returns: pagedOf(ProjectBasic),
    async handle({ user, organization, url, query }) {
      const page = readPage(query);
      const { count, projects } = await listProjects(db, { user_id: user.id, organization_id: organization.id }, page);
      return paged(url, page, count, projects.map(toProjectBasic));
    },
  }),

  organizationRoute('POST', '/projects/', {
    summary: 'Create a project in an organization',
    scope: 'project:write',
    body: ProjectDraft,
    returns: Project,
    status: 201,
    handle: ({ organization, level, body }) => createProject(db, organization.id, level, body),
  }),

  projectRoute('GET', '/', {
    summary: 'Read a project',
    scope: 'project:read',
    returns: Project,
    handle: ({ project, level }) => toProject(project, level),
  }),

  ...(['PATCH', 'PUT'] as const).map((method) =>
    projectRoute(method, '/', {
      summary: 'Change a project',
      scope: 'project:write',
      body: ProjectDraft,
      returns: Project,
      async handle({ project, level, body }) {
        requireTimezone(body.timezone);
        const { name, timezone } = body;
        const changes = { ...(name && { name }), ...(timezone && { timezone }), settings: pickSettings(body) };
        return toProject(await updateProject(db, project.id, changes), level);
      },
    }),
  ),

  projectRoute('DELETE', '/', {
    summary: 'Delete a project and everything in it',
    scope: 'project:write',
    status: 204,
    async handle({ project, level }) {
      requireAdmin(level);
      await deleteProject(db, project.id);
      tokens.forget();
      return empty(204);
    },
  }),

  projectRoute('PATCH', '/reset_token/', {
    summary: 'Give the project a new project key; the old one stops working at once',
    scope: 'project:write',
    returns: Project,
    async handle({ project, level }) {
      requireAdmin(level);
      const renewed = await updateProject(db, project.id, { api_token: newProjectToken() });
      tokens.forget();
      return toProject(renewed, level);
    },
  }),
];

async function createProject(
  db: Kysely<Database>,
  organization_id: string,
  level: MembershipLevel,
  body: { name?: string; timezone?: string } & Record<string, unknown>,
) {
  requireAdmin(level);
  requireTimezone(body.timezone);
  const { name = 'Default project', timezone = 'UTC' } = body;
  const project = await insertProject(db, { organization_id, name, timezone, settings: pickSettings(body) });
  return created(toProject(project, level));
}
