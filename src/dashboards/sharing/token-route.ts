// Routes that the people of a project read with their credentials, and visitors with the token of a share.
import type { z } from 'zod';
import { authenticationFailed, permissionDenied } from '../../http/errors.ts';
import { type OpenContext, type ProjectContext, projectRoute, type Route } from '../../http/route.ts';
import type { LimitClass } from '../../http/throttle.ts';
import type { SharingConfigurationRow } from '../../metadata/tables.ts';
import { parseId } from '../../projects/access/gate.ts';
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
export function tokenReadable(db: Db, secretKey: string, path: string, readable: TokenReadable): Route {
  const getShare = async (context: OpenContext): Promise<SharingConfigurationRow> => {
    const share = await findOpenShare(db, context.query.get('sharing_access_token') ?? '');
    if (!share || !(await isUnlocked(db, secretKey, share, context, Date.now()))) {
      throw authenticationFailed('Sharing access token is invalid.');
    }
    if (share.team_id !== parseId(context.params.project_id ?? '')) {
      throw permissionDenied("You don't have access to the project.");
    }
    return share;
  };
  return projectRoute('GET', path, {
    ...readable,
    query: { ...readable.query, sharing_access_token: 'The token of a share, instead of a credential.' },
    visit: async (context) => readable.visit(context, await getShare(context)),
  });
}
