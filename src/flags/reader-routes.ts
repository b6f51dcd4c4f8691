// What servers read of a project's flags with a key, below the paths of the management API.
import { empty, type OpenContext, openRoute, Reply, type Route } from '../http/route.ts';
import type { Definitions } from './definitions.ts';
import { isObject } from './evaluation/values.ts';
import { toDefinitions } from './local-evaluation.ts';
import type { FindFlagReader } from './secret-keys.ts';
import type { PayloadVault } from './secret-payloads.ts';

export interface ReaderParts {
  definitions: Definitions;
  findReader: FindFlagReader;
  vault: PayloadVault;
}

const BASES = ['/api/projects/:project_id', '/api/environments/:project_id'];
const JSON_TYPE = { 'content-type': 'application/json' };

/** Open to everyone as far as the server knows: who may read is decided here, since secret keys belong to nobody. */
export function readerRoutes({ definitions, findReader, vault }: ReaderParts): Route[] {
  const find = async ({ headers, cookies, params, query }: OpenContext) => {
    const team_id = await findReader({ method: 'GET', headers, cookies, params, query, body: undefined });
    return definitions.find(team_id);
  };

  return BASES.flatMap((base) => [
    openRoute('GET', `${base}/feature_flags/local_evaluation/`, {
      summary: 'Definitions for SDKs that evaluate flags themselves',
      scope: null,
      page: true,
      async handle(context) {
        const project = await find(context);
        if (!project) return empty(404);
        const { body, etag } = toDefinitions(project, context.query.has('send_cohorts'));
        return new Reply(200, Buffer.from(body), { ...JSON_TYPE, etag });
      },
    }),

    openRoute('GET', `${base}/feature_flags/:id/remote_config/`, {
      summary: 'The payload of a remote configuration, by id or key',
      scope: null,
      page: true,
      async handle(context) {
        const project = await find(context);
        const named = context.params.id ?? '';
        const flag = project?.flags.find(({ id, key }) => String(id) === named || key === named);
        if (!project || !flag?.is_remote_configuration) return empty(404);
        const payloads = isObject(flag.filters.payloads) ? flag.filters.payloads : {};
        const payload = vault.open(project.team_id, payloads.true ?? null);
        return new Reply(200, Buffer.from(JSON.stringify(payload)), JSON_TYPE);
      },
    }),
  ]);
}
