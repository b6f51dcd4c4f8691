// Who is calling and where: what the gate finds out before a handler runs.
import type { AccountRow, MembershipLevel, OrganizationRow, ProjectRow } from '../metadata/tables.ts';
import type { Route } from './route.ts';

export interface KeyCredential {
  kind: 'key';
  id: string;
  scopes: readonly string[];
  scoped_teams: readonly number[];
  scoped_organizations: readonly string[];
}

export interface SessionCredential {
  kind: 'session';
  token_digest: string;
  authenticated_at: string;
}

export interface Caller {
  user: AccountRow;
  credential: KeyCredential | SessionCredential;
}

/** What of a request may carry a credential or name a project. */
export interface Approach {
  method: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  cookies: Readonly<Record<string, string | undefined>>;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** Read already when no header carries a key, since the key may be in it. */
  body: unknown;
}

/** The project and organization that a path names, and the caller's level in them. */
export interface Place {
  project?: ProjectRow;
  organization?: OrganizationRow;
  level?: MembershipLevel;
}

export interface Gate {
  /** The caller behind a credential; undefined without one. A credential that is wrong is refused here. */
  authenticate(approach: Approach): Promise<Caller | undefined>;
  /** Resolves the place and refuses whoever may not do this there. */
  admit(caller: Caller, route: Route, approach: Approach): Promise<Place>;
}
