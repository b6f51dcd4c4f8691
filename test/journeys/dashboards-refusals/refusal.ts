// How a refusal is written down: who asks for what, and how it is answered.
import { randomUUID } from 'node:crypto';
import type { Who } from '../../model/dashboards-app.ts';

export type Refusal = [
  title: string,
  who: Who,
  method: string,
  path: string,
  body: unknown,
  status: number,
  kind: readonly [type: string, code: string],
  detail: string | RegExp,
  attr?: string,
];

export const AUTH = ['authentication_error', 'permission_denied'] as const;
export const MISSING = ['invalid_request', 'not_found'] as const;
export const VALUE = ['validation_error', 'invalid_input'] as const;
export const value = (code: string) => ['validation_error', code] as const;
export const PARSE = ['invalid_request', 'parse_error'] as const;

export const CANNOT_EDIT = "You don't have edit permissions for this dashboard.";
export const INSIGHT_LOCKED =
  'This insight is on a dashboard that can only be edited by its owner, team members invited to editing the dashboard, and project admins.';

export const template = {
  template_name: 'T',
  dashboard_description: '',
  dashboard_filters: {},
  tiles: [{ type: 'TEXT' }],
};
export const long = 'x'.repeat(401);
export const nobody = randomUUID();

export const at = (dashboard: { id: number }, rest = '') => `/dashboards/${dashboard.id}/${rest}`;
