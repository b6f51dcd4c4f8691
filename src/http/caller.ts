// Who is calling and where: what the gate finds out before a handler runs.
import type { AccountRow, MembershipLevel, OrganizationRow, ProjectRow } from '../metadata/tables.ts';

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

/** Where a path hangs: below a project or an organization, anywhere for a known caller, or open to everyone. */
export type Under = 'project' | 'organization' | 'caller' | 'everyone';

/** What a route asks of its callers. */
export interface Demand {
  under: Under;
  /** `object:action` that a personal API key needs; `any`: every key will do; null: keys are refused. */
  scope: string | null;
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
  admit(caller: Caller, demand: Demand, approach: Approach): Promise<Place>;
}
