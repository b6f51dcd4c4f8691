// Routes are values: method, path, scope, shapes, handler. The server mounts them, the API description is printed from them.
import type { z } from 'zod';
import type { AccountRow, MembershipLevel, OrganizationRow, ProjectRow } from '../metadata/tables.ts';
import type { Logger } from '../platform/logger.ts';
import type { MediaType } from './body.ts';
import type { Caller, Demand, Under } from './caller.ts';
import type { LimitClass } from './throttle.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface OpenContext<Body = unknown, Found = unknown> {
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The request's absolute address, as the client sees it. */
  url: URL;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  cookies: Readonly<Record<string, string | undefined>>;
  ip: string;
  body: Body;
  /** What `load` found. */
  found: Found;
  /** Aborts when the client closes the connection before it has its answer: for work that is for nobody else. */
  readonly left: AbortSignal;
  log: Logger;
}

export interface CallerContext<Body = unknown, Found = unknown> extends OpenContext<Body, Found> {
  caller: Caller;
  user: AccountRow;
}

export interface OrganizationContext<Body = unknown, Found = unknown> extends CallerContext<Body, Found> {
  organization: OrganizationRow;
  /** The caller's level in the organization. */
  level: MembershipLevel;
}

export interface ProjectContext<Body = unknown, Found = unknown> extends OrganizationContext<Body, Found> {
  project: ProjectRow;
}

interface Spec<Context, Shape extends z.ZodType | undefined> {
  /** One line for the API description. */
  summary: string;
  /** See `Demand`. */
  scope: Demand['scope'];
  /** Shape of the body; without one the body is not looked at. */
  body?: Shape;
  accepts?: readonly MediaType[];
  /** Shape of a success, and its status (200 unless said). */
  returns?: z.ZodType;
  status?: number;
  /** Query parameters, each with what it means. */
  query?: Readonly<Record<string, string>>;
  limit?: LimitClass;
  /** Answers something other than JSON: a page, numbers. Left out of the API description. */
  page?: boolean;
  /** Answers visitors who bring a share's token in `sharing_access_token`; they have no credential and pass no gate. */
  visit?(context: OpenContext): unknown;
  /** Runs after the caller is admitted; a handler only sees what it returned. */
  handle(context: Context): unknown;
}

type Parsed<Shape> = Shape extends z.ZodType ? z.output<Shape> : undefined;

export interface Route extends Demand, Omit<Spec<never, z.ZodType | undefined>, 'handle'> {
  method: Method;
  path: string;
  load?: (context: never) => unknown;
  handle(context: never): unknown;
}

/** A spec whose `load` finds the object that the path names, or throws, before the body is judged. */
type Loading<Context extends OpenContext, Shape extends z.ZodType | undefined, Found> = Spec<
  Omit<Context, 'body' | 'found'> & { body: Parsed<Shape>; found: Found },
  Shape
> & { load?: (context: Omit<Context, 'body' | 'found'>) => Promise<Found> | Found };

const routeUnder =
  <Context extends OpenContext>(under: Under) =>
  <Shape extends z.ZodType | undefined = undefined, Found = undefined>(
    method: Method,
    path: string,
    spec: Loading<Context, Shape, Found>,
  ): Route => ({ ...(spec as unknown as Route), under, method, path });

/** Mounted below `/api/projects/:project_id` and `/api/environments/:project_id`. */
export const projectRoute = routeUnder<ProjectContext>('project');
/** Mounted below `/api/organizations/:organization_id`. */
export const organizationRoute = routeUnder<OrganizationContext>('organization');
/** Mounted below `/api`, for any caller that is known. */
export const callerRoute = routeUnder<CallerContext>('caller');
/** Mounted as it is, open to everyone. */
export const openRoute = routeUnder<OpenContext>('everyone');

/** Every path at which a route answers. */
export function pathsOf({ under, path }: Pick<Route, 'under' | 'path'>): string[] {
  switch (under) {
    case 'project':
      return [`/api/projects/:project_id${path}`, `/api/environments/:project_id${path}`];
    case 'organization':
      return [`/api/organizations/:organization_id${path}`];
    case 'caller':
      return [`/api${path}`];
    case 'everyone':
      return [path];
  }
}

/** An answer that is more than a JSON value with status 200. */
export class Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | string[]>>;

  constructor(status: number, body: unknown, headers: Readonly<Record<string, string | string[]>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export const created = (body: unknown) => new Reply(201, body);
export const empty = (status: number, headers: Readonly<Record<string, string | string[]>> = {}) =>
  new Reply(status, null, headers);
export const html = (text: string, headers: Readonly<Record<string, string>> = {}) =>
  new Reply(200, Buffer.from(text), { 'content-type': 'text/html; charset=utf-8', ...headers });
