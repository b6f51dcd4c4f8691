import { parseBody } from '../http/fields.ts';
import type { ProjectRow } from '../metadata/tables.ts';
import { newProjectToken } from '../projects/access/credentials.ts';
import { insertProject, updateProject } from '../projects/sql.ts';
import { ProjectDraft, requireTimezone } from '../projects/wire.ts';
import { type Command, command } from './command.ts';
import { getOrganization, getProject } from './find.ts';
import { withMetadata } from './reach.ts';
import { listAllProjects } from './sql.ts';
import { printTable } from './table.ts';

export const commands: Command[] = [
  command({
    name: 'project list',
    summary: 'List the projects of all organizations, with their project keys.',
    run: (call) =>
      withMetadata(call, async ({ db }) => {
        const projects = await listAllProjects(db);
        const rows = projects.map(({ id, name, organization_name, api_token }) => [
          String(id),
          name,
          organization_name,
          api_token,
        ]);
        return {
          data: projects.map((project) => toProject(project, project.organization_name)),
          text: printTable(['ID', 'NAME', 'ORGANIZATION', 'PROJECT KEY'], rows),
        };
      }),
  }),

  command({
    name: 'project create',
    summary: 'Make a project.',
    takes: [{ name: 'name', about: 'Name of the project.' }],
    options: {
      organization: { type: 'text', value: 'id', about: 'Id, slug or name; needed when there are several.' },
      timezone: { type: 'text', value: 'zone', about: 'Name from the IANA time zone database. Default: UTC.' },
    },
    async run(call) {
      const { name, timezone } = parseBody(ProjectDraft, { name: call.given[0], timezone: call.options.timezone });
      requireTimezone(timezone);
      return withMetadata(call, async ({ db }) => {
        const organization = await getOrganization(db, call.options.organization);
        const draft = { organization_id: organization.id, name: name!, ...(timezone && { timezone }) };
        const project = await insertProject(db, draft);
        return {
          data: toProject(project, organization.name),
          text: `Made project ${project.id}, ${project.name}.\nProject key: ${project.api_token}`,
        };
      });
    },
  }),

  command({
    name: 'project rotate-key',
    summary: 'Give a project a new project key; the old one stops working at once.',
    takes: [{ name: 'id', about: 'Number of the project, as `tenrec project list` shows it.' }],
    run: (call) =>
      withMetadata(call, async ({ db }) => {
        const { id } = await getProject(db, call.given[0]!);
        const { name, api_token } = await updateProject(db, id, { api_token: newProjectToken() });
        return { data: { id, api_token }, text: `New project key of project ${id}, ${name}: ${api_token}` };
      }),
  }),
];

function toProject(project: ProjectRow, organization_name: string) {
  const { id, name, api_token, timezone, created_at, organization_id } = project;
  return { id, name, api_token, timezone, created_at, organization: { id: organization_id, name: organization_name } };
}
