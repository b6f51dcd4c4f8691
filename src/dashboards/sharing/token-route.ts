// Routes that the people of a project read with their credentials, and visitors with the token of a share.
import type { z } from 'zod';
import { authenticationFailed, notAuthenticated, permissionDenied } from '../../http/errors.ts';
import { type OpenContext, openRoute, type ProjectContext, type Route } from '../../http/route.ts';
import type { LimitClass } from '../../http/throttle.ts';
import type { SharingConfigurationRow } from '../../metadata/tables.ts';
import { openGate, parseId } from '../../projects/access/gate.ts';
import type { Db } from '../sql.ts';
import { findOpenShare } from './sql.ts';
import { isUnlocked } from './unlock.ts';

export interface TokenReadable {
  summary: string;
  scope: string;
  query: Readonly<Record<string, string>>;
  returns: z.ZodType;
  limit: LimitClass;
  /** Someone with a credential, admitted as on every other route of a project. */
  handle(context: ProjectContext): unknown;
  /** A visitor, of whom nothing is known but the share. */
  visit(context: OpenContext, share: SharingConfigurationRow): unknown;
}

/** `path` below both prefixes of a project, for GET. */
export function tokenReadable(db: Db, secretKey: string, path: string, readable: TokenReadable): Route[] {
  const gate = openGate(db, secretKey);
  const { summary, scope, query, returns, limit } = readable;

  const answer = async (context: OpenContext) => {
    const token = context.query.get('sharing_access_token');
    if (token !== null) return readable.visit(context, await getShare(context, token));
    const approach = { ...context, method: 'GET' };
    const caller = await gate.authenticate(approach);
    if (!caller) throw notAuthenticated();
    const place = await gate.admit(caller, { under: 'project', scope }, approach);
    return readable.handle({ ...context, ...place, caller, user: caller.user } as ProjectContext);
  };

  const getShare = async (context: OpenContext, token: string): Promise<SharingConfigurationRow> => {
    const share = await findOpenShare(db, token);
    if (!share || !(await isUnlocked(db, secretKey, share, context, Date.now()))) {
      throw authenticationFailed('Sharing access token is invalid.');
    }
    if (share.team_id !== parseId(context.params.project_id ?? '')) {
      throw permissionDenied("You don't have access to the project.");
    }
    return share;
  };

  return ['projects', 'environments'].map((prefix) =>
    openRoute('GET', `/api/${prefix}/:project_id${path}`, {
      summary,
      scope,
      query: { ...query, sharing_access_token: 'The token of a share, instead of a credential.' },
      returns,
      limit,
      handle: answer,
    }),
  );
}
