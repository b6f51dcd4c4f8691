// Every refusal that dashboards, tiles, insights, templates, collaborators and shares have words for, over the real server.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { startDashboardsApp, type Who } from '../model/dashboards-app.ts';

const people = await startDashboardsApp();
after(() => people[Symbol.asyncDispose]());
const { app, users, get, make, makeInsight } = people;

// Ada's dashboards: open to all, restricted, deleted; and one that only its creator and admins may see.
const open = await make('ada', { name: 'Open' });
const restricted = await make('ada', { name: 'Restricted', restriction_level: 37 });
const deleted = await make('ada', { name: 'Deleted' });
await get('ada', 'PATCH', `/dashboards/${deleted.id}/`, { deleted: true });
const hidden = await make('ada', { name: 'Hidden' });
await get('ada', 'PUT', `/dashboards/${hidden.id}/access_controls/`, { access_level: 'none' });
const viewable = await make('ada', { name: 'Viewable' });
await get('ada', 'PUT', `/dashboards/${viewable.id}/access_controls/`, { access_level: 'viewer' });

const insight = await makeInsight('ada', 'Sign-ups', [open.id]);
const locked = await makeInsight('ada', 'Locked', [restricted.id]);
const everywhere = await makeInsight('ada', 'Everywhere', [open.id, restricted.id]);
await get('ada', 'PATCH', `/dashboards/${open.id}/`, { tiles: [{ text: { body: 'Notes' } }] });
const { tiles } = await people.read('ada', open.id);
const tileOf = (insight_id: number) =>
  tiles.find((tile: { insight: { id: number } | null }) => tile.insight?.id === insight_id).id;
const textTile = tiles.find((tile: { text: unknown }) => tile.text !== null);

const foreign = await get('outsider', 'POST', `/api/projects/${people.other.project.id}/dashboards/`, {
  name: 'Theirs',
});
const invited = await app.addUser('invited@example.com');
await get('ada', 'POST', `/dashboards/${restricted.id}/collaborators/`, { user_uuid: invited.uuid, level: 37 });
const inactive = await app.addUser('inactive@example.com');
await app.db.updateTable('account').set({ is_active: false }).where('id', '=', inactive.id).execute();
const share = await get('ada', 'PATCH', `/dashboards/${open.id}/sharing/`, { enabled: true });
const nobody = randomUUID();

const AUTH = ['authentication_error', 'permission_denied'] as const;
const MISSING = ['invalid_request', 'not_found'] as const;
const VALUE = ['validation_error', 'invalid_input'] as const;
const value = (code: string) => ['validation_error', code] as const;
const PARSE = ['invalid_request', 'parse_error'] as const;

const CANNOT_EDIT = "You don't have edit permissions for this dashboard.";
const INSIGHT_LOCKED =
  'This insight is on a dashboard that can only be edited by its owner, team members invited to editing the dashboard, and project admins.';
const template = { template_name: 'T', dashboard_description: '', dashboard_filters: {}, tiles: [{ type: 'TEXT' }] };

type Row = [
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

const at = (dashboard: { id: number }, rest = '') => `/dashboards/${dashboard.id}/${rest}`;
const long = 'x'.repeat(401);

const rows: Row[] = [
  // 2.1 and 2.3: fields of a dashboard
  [
    'a long name',
    'ada',
    'POST',
    '/dashboards/',
    { name: long },
    400,
    value('max_length'),
    'Ensure this field has no more than 400 characters.',
    'name',
  ],
  ['a name that is a list', 'ada', 'POST', '/dashboards/', { name: [] }, 400, VALUE, 'Not a valid string.', 'name'],
  [
    'no description',
    'ada',
    'POST',
    '/dashboards/',
    { description: null },
    400,
    value('null'),
    'This field may not be null.',
    'description',
  ],
  ['half pinned', 'ada', 'POST', '/dashboards/', { pinned: 'maybe' }, 400, VALUE, 'Must be a valid boolean.', 'pinned'],
  [
    'an unknown restriction',
    'ada',
    'POST',
    '/dashboards/',
    { restriction_level: 5 },
    400,
    value('invalid_choice'),
    '"5" is not a valid choice.',
    'restriction_level',
  ],
  [
    'tags that are a text',
    'ada',
    'POST',
    '/dashboards/',
    { tags: 'a' },
    400,
    value('not_a_list'),
    'Expected a list of items but got type "str".',
    'tags',
  ],
  [
    'a long tag',
    'ada',
    'POST',
    '/dashboards/',
    { tags: ['x'.repeat(256)] },
    400,
    value('max_length'),
    'Ensure this field has no more than 255 characters.',
    'tags__0',
  ],
  [
    'filters that are a list',
    'ada',
    'POST',
    '/dashboards/',
    { filters: ['a'] },
    400,
    VALUE,
    'Filters must be a dictionary',
  ],
  [
    'an unknown template',
    'ada',
    'POST',
    '/dashboards/',
    { use_template: 'NO_SUCH' },
    400,
    VALUE,
    'Invalid template provided: NO_SUCH',
    'use_template',
  ],
  [
    'an unknown dashboard to copy',
    'ada',
    'POST',
    '/dashboards/',
    { use_dashboard: 2147483647 },
    400,
    VALUE,
    'Invalid value provided',
    'use_dashboard',
  ],
  [
    "another project's dashboard to copy",
    'ada',
    'POST',
    '/dashboards/',
    { use_dashboard: foreign.id },
    400,
    VALUE,
    'Invalid value provided',
    'use_dashboard',
  ],
  [
    'a deleted dashboard to copy',
    'ada',
    'POST',
    '/dashboards/',
    { use_dashboard: deleted.id },
    400,
    VALUE,
    'Invalid value provided',
    'use_dashboard',
  ],
  [
    'a hidden dashboard to copy',
    'bob',
    'POST',
    '/dashboards/',
    { use_dashboard: hidden.id },
    400,
    VALUE,
    'Invalid value provided',
    'use_dashboard',
  ],
  [
    'a template and a dashboard',
    'ada',
    'POST',
    '/dashboards/',
    { use_template: 'DEFAULT_APP', use_dashboard: open.id },
    400,
    VALUE,
    '`use_dashboard` and `use_template` cannot be used together',
  ],
  [
    'an empty dashboard to copy',
    'ada',
    'POST',
    '/dashboards/',
    { use_dashboard: '', use_template: 'DEFAULT_APP' },
    400,
    VALUE,
    'A valid integer is required.',
    'use_dashboard',
  ],
  [
    'a body that is a list',
    'ada',
    'POST',
    '/dashboards/',
    [],
    400,
    VALUE,
    'Invalid data. Expected a dictionary, but got list.',
  ],

  // 2.4: reading
  ['an unknown dashboard', 'ada', 'GET', '/dashboards/2147483647/', undefined, 404, MISSING, 'Not found.'],
  ['an id beyond all ids', 'ada', 'GET', '/dashboards/99999999999999/', undefined, 404, MISSING, 'Not found.'],
  ['an id that is a word', 'ada', 'GET', '/dashboards/abc/', undefined, 404, MISSING, 'Not found.'],
  ['a deleted dashboard', 'ada', 'GET', at(deleted), undefined, 404, MISSING, 'Not found.'],
  ["another project's dashboard", 'ada', 'GET', at(foreign), undefined, 404, MISSING, 'Not found.'],
  [
    "a dashboard in another organization's project",
    'ada',
    'GET',
    `/api/projects/${people.other.project.id}${at(foreign)}`,
    undefined,
    403,
    AUTH,
    "You don't have access to the project.",
  ],
  [
    'a project that does not exist',
    'ada',
    'GET',
    '/api/projects/4711/dashboards/',
    undefined,
    404,
    MISSING,
    'Project not found.',
  ],
  [
    'a hidden dashboard',
    'bob',
    'GET',
    at(hidden),
    undefined,
    403,
    AUTH,
    'You do not have viewer access to this resource.',
  ],
  [
    'overrides that are no JSON',
    'ada',
    'GET',
    at(open, '?filters_override={'),
    undefined,
    400,
    VALUE,
    'Invalid JSON passed in filters_override parameter',
    'filters_override',
  ],
  [
    'overrides that are no object',
    'ada',
    'GET',
    at(open, '?variables_override=[1]'),
    undefined,
    400,
    VALUE,
    'Invalid JSON passed in variables_override parameter',
    'variables_override',
  ],

  // 2.5 to 2.8: changing
  ['changing a deleted dashboard', 'ada', 'PATCH', at(deleted), { name: 'x' }, 404, MISSING, 'Not found.'],
  ['deleting a deleted dashboard', 'ada', 'PATCH', at(deleted), { deleted: true }, 404, MISSING, 'Not found.'],
  ['editing a restricted dashboard', 'bob', 'PATCH', at(restricted), { name: 'x' }, 403, AUTH, CANNOT_EDIT],
  ['replacing a restricted dashboard', 'bob', 'PUT', at(restricted), { name: 'x' }, 403, AUTH, CANNOT_EDIT],
  [
    'editing what one may only view',
    'bob',
    'PATCH',
    at(viewable),
    { name: 'x' },
    403,
    AUTH,
    'You do not have editor access to this resource.',
  ],
  [
    'restricting without the right to',
    'bob',
    'PATCH',
    at(open),
    { restriction_level: 37 },
    403,
    AUTH,
    "Only the dashboard owner and project admins have the restriction rights required to change the dashboard's restriction level.",
  ],
  ['filters that are a text', 'ada', 'PATCH', at(open), { filters: 'x' }, 400, VALUE, 'Filters must be a dictionary'],
  [
    'variables that are a list',
    'ada',
    'PATCH',
    at(open),
    { variables: [1] },
    400,
    VALUE,
    'Filters must be a dictionary',
  ],

  // 2.9: tiles
  [
    'tiles that are an object',
    'ada',
    'PATCH',
    at(open),
    { tiles: {} },
    400,
    value('not_a_list'),
    'Expected a list of items but got type "dict".',
    'tiles',
  ],
  [
    'a tile that is a number',
    'ada',
    'PATCH',
    at(open),
    { tiles: [1] },
    400,
    VALUE,
    'Invalid data. Expected a dictionary, but got int.',
    'tiles__0',
  ],
  [
    'a tile that is not there',
    'ada',
    'PATCH',
    at(open),
    { tiles: [{ id: 2147483647, color: 'blue' }] },
    400,
    value('does_not_exist'),
    'Invalid pk "2147483647" - object does not exist.',
    'tiles__0__id',
  ],
  [
    'a tile of another dashboard',
    'ada',
    'PATCH',
    at(restricted),
    { tiles: [{ id: textTile.id, color: 'blue' }] },
    400,
    value('does_not_exist'),
    `Invalid pk "${textTile.id}" - object does not exist.`,
    'tiles__0__id',
  ],
  [
    'a long colour',
    'ada',
    'PATCH',
    at(open),
    { tiles: [{ id: textTile.id, color: long }] },
    400,
    value('max_length'),
    'Ensure this field has no more than 400 characters.',
    'tiles__0__color',
  ],
  [
    'layouts that are a list',
    'ada',
    'PATCH',
    at(open),
    { tiles: [{ id: textTile.id, layouts: [] }] },
    400,
    value('not_a_dict'),
    'Expected a dictionary of items but got type "list".',
    'tiles__0__layouts',
  ],
  [
    'a long text',
    'ada',
    'PATCH',
    at(open),
    { tiles: [{ text: { body: 'x'.repeat(4001) } }] },
    400,
    value('max_length'),
    'Text body cannot exceed 4000 characters',
    'text__body',
  ],
  [
    'a text that is not there',
    'ada',
    'PATCH',
    at(open),
    { tiles: [{ text: { id: 2147483647, body: 'x' } }] },
    400,
    VALUE,
    'Text tile not found.',
    'text',
  ],
  [
    'a text of another dashboard',
    'ada',
    'PATCH',
    at(restricted),
    { tiles: [{ text: { id: textTile.text.id, body: 'x' } }] },
    400,
    VALUE,
    'Text tile not found.',
    'text',
  ],
  [
    'a text on an insight tile',
    'ada',
    'PATCH',
    at(open),
    { tiles: [{ id: tileOf(insight.id), text: { body: 'x' } }] },
    400,
    VALUE,
    'This tile shows an insight; it cannot show a text as well.',
    'tiles__0__id',
  ],
  [
    'a copy of a tile that is not there',
    'ada',
    'PATCH',
    at(open),
    { duplicate_tiles: [{ id: 2147483647 }] },
    400,
    value('does_not_exist'),
    'Invalid pk "2147483647" - object does not exist.',
    'duplicate_tiles__0__id',
  ],

  // 2.10: tile actions
  [
    'moving nothing',
    'ada',
    'PATCH',
    at(open, 'move_tile/'),
    { toDashboard: restricted.id },
    400,
    value('required'),
    'This field is required.',
    'tile',
  ],
  [
    'moving a tile without id',
    'ada',
    'PATCH',
    at(open, 'move_tile/'),
    { tile: {}, toDashboard: restricted.id },
    400,
    value('required'),
    'This field is required.',
    'tile__id',
  ],
  [
    'moving nowhere',
    'ada',
    'PATCH',
    at(open, 'move_tile/'),
    { tile: { id: textTile.id } },
    400,
    value('required'),
    'This field is required.',
    'toDashboard',
  ],
  [
    'moving to an unknown dashboard',
    'ada',
    'PATCH',
    at(open, 'move_tile/'),
    { tile: { id: textTile.id }, toDashboard: 2147483647 },
    404,
    MISSING,
    'Not found.',
  ],
  [
    'moving to a deleted dashboard',
    'ada',
    'PATCH',
    at(open, 'move_tile/'),
    { tile: { id: textTile.id }, toDashboard: deleted.id },
    404,
    MISSING,
    'Not found.',
  ],
  [
    "moving to another project's dashboard",
    'ada',
    'PATCH',
    at(open, 'move_tile/'),
    { tile: { id: textTile.id }, toDashboard: foreign.id },
    404,
    MISSING,
    'Not found.',
  ],
  [
    'moving a tile that is elsewhere',
    'ada',
    'PATCH',
    at(restricted, 'move_tile/'),
    { tile: { id: textTile.id }, toDashboard: open.id },
    404,
    MISSING,
    'Not found.',
  ],
  [
    'moving from a restricted dashboard',
    'bob',
    'PATCH',
    at(restricted, 'move_tile/'),
    { tile: { id: 1 }, toDashboard: open.id },
    403,
    AUTH,
    CANNOT_EDIT,
  ],
  [
    'moving to a restricted dashboard',
    'bob',
    'PATCH',
    at(open, 'move_tile/'),
    { tile: { id: textTile.id }, toDashboard: restricted.id },
    403,
    AUTH,
    "You don't have edit permissions for the destination dashboard.",
  ],
  [
    'moving to where it is already',
    'ada',
    'PATCH',
    at(open, 'move_tile/'),
    { tile: { id: tileOf(everywhere.id) }, toDashboard: restricted.id },
    400,
    VALUE,
    'Invalid request data for moving tile.',
  ],
  [
    'copying onto itself',
    'ada',
    'POST',
    at(open, 'copy_tile/'),
    { fromDashboardId: open.id, tileId: textTile.id },
    400,
    VALUE,
    'Destination must be a different dashboard than the source.',
  ],
  [
    'copying an insight that is there',
    'ada',
    'POST',
    at(restricted, 'copy_tile/'),
    { fromDashboardId: open.id, tileId: tileOf(everywhere.id) },
    400,
    VALUE,
    'This insight is already on the destination dashboard.',
  ],
  [
    'copying a tile that is not there',
    'ada',
    'POST',
    at(restricted, 'copy_tile/'),
    { fromDashboardId: open.id, tileId: 2147483647 },
    404,
    MISSING,
    'Not found.',
  ],
  [
    'copying from a hidden dashboard',
    'bob',
    'POST',
    at(open, 'copy_tile/'),
    { fromDashboardId: hidden.id, tileId: 1 },
    403,
    AUTH,
    'You do not have viewer access to this resource.',
  ],
  [
    'copying without a source',
    'ada',
    'POST',
    at(open, 'copy_tile/'),
    { tileId: 1 },
    400,
    value('required'),
    'This field is required.',
    'fromDashboardId',
  ],
  [
    'an order that names a tile twice',
    'ada',
    'POST',
    at(open, 'reorder_tiles/'),
    { tile_order: [textTile.id, textTile.id] },
    400,
    VALUE,
    'tile_order must contain unique tile IDs',
  ],
  [
    'an order of nothing',
    'ada',
    'POST',
    at(open, 'reorder_tiles/'),
    { tile_order: [] },
    400,
    value('empty'),
    'This list may not be empty.',
    'tile_order',
  ],
  [
    'an order of tiles that are elsewhere',
    'ada',
    'POST',
    at(restricted, 'reorder_tiles/'),
    { tile_order: [textTile.id] },
    404,
    MISSING,
    `Tile IDs not found on this dashboard: [${textTile.id}]`,
  ],

  // 2.11: templates
  [
    'a template without a name',
    'ada',
    'POST',
    '/dashboards/create_from_template_json/',
    { template: { ...template, template_name: undefined } },
    400,
    VALUE,
    /^'template_name' is a required property\n\nFailed validating 'required' in schema:[\s\S]*\{'dashboard_description': ''/,
  ],
  [
    'a template without tiles',
    'ada',
    'POST',
    '/dashboards/create_from_template_json/',
    { template: { ...template, tiles: [] } },
    400,
    VALUE,
    /^\[\] is too short/,
  ],
  [
    'no template at all',
    'ada',
    'POST',
    '/dashboards/create_from_template_json/',
    {},
    400,
    VALUE,
    /^None is not of type 'object'/,
  ],
  [
    'a template with a long name',
    'ada',
    'POST',
    '/dashboards/create_from_template_json/',
    { template: { ...template, template_name: long } },
    400,
    value('max_length'),
    'Ensure this field has no more than 400 characters.',
    'template_name',
  ],
  [
    'a template kept by a member',
    'ada',
    'POST',
    '/dashboard_templates/',
    template,
    403,
    AUTH,
    "You don't have edit permissions for this dashboard template.",
  ],
  [
    'a template for all, kept by an admin',
    'admin',
    'POST',
    '/dashboard_templates/',
    { ...template, scope: 'global' },
    403,
    AUTH,
    "You don't have edit permissions for this dashboard template.",
  ],
  [
    'a template without tiles to keep',
    'admin',
    'POST',
    '/dashboard_templates/',
    { ...template, tiles: [] },
    400,
    VALUE,
    'You need to provide tiles for the template.',
  ],
  [
    'an unknown template to read',
    'ada',
    'GET',
    `/dashboard_templates/${nobody}/`,
    undefined,
    404,
    MISSING,
    'Not found.',
  ],

  // 2.12: access controls
  [
    'rules made by someone else',
    'bob',
    'PUT',
    at(open, 'access_controls/'),
    { access_level: 'viewer' },
    403,
    AUTH,
    'Must be editor to modify dashboard permissions.',
  ],
  [
    'an unknown level',
    'ada',
    'PUT',
    at(open, 'access_controls/'),
    { access_level: 'god' },
    400,
    VALUE,
    'Invalid access level. Must be one of: none, viewer, editor',
    'access_level',
  ],
  [
    'a rule for a member and a role',
    'ada',
    'PUT',
    at(open, 'access_controls/'),
    { access_level: 'viewer', organization_member: nobody, role: nobody },
    400,
    VALUE,
    'You can not scope an access control to both a member and a role.',
  ],
  [
    'a rule for an unknown member',
    'ada',
    'PUT',
    at(open, 'access_controls/'),
    { access_level: 'viewer', organization_member: nobody },
    400,
    value('does_not_exist'),
    `Invalid pk "${nobody}" - object does not exist.`,
    'organization_member',
  ],
  [
    'a rule for an unknown role',
    'ada',
    'PUT',
    at(open, 'access_controls/'),
    { access_level: 'viewer', role: nobody },
    400,
    value('does_not_exist'),
    `Invalid pk "${nobody}" - object does not exist.`,
    'role',
  ],
  [
    'a rule without a level',
    'ada',
    'PUT',
    at(open, 'access_controls/'),
    {},
    400,
    value('required'),
    'This field is required.',
    'access_level',
  ],

  // 2.14: collaborators, in the order of the checks
  [
    "collaborators of another organization's dashboard",
    'outsider',
    'GET',
    at(open, 'collaborators/'),
    undefined,
    403,
    AUTH,
    "You don't have access to the project.",
  ],
  [
    'a collaborator of an unknown dashboard',
    'ada',
    'POST',
    '/dashboards/2147483647/collaborators/',
    { user_uuid: users.bob.uuid, level: 37 },
    404,
    MISSING,
    'Dashboard not found.',
  ],
  [
    'a collaborator removed from an unknown dashboard',
    'ada',
    'DELETE',
    `/dashboards/2147483647/collaborators/${nobody}/`,
    undefined,
    404,
    MISSING,
    'Dashboard not found.',
  ],
  [
    'a collaborator added by one who cannot edit',
    'bob',
    'POST',
    at(restricted, 'collaborators/'),
    { user_uuid: users.bob.uuid, level: 37 },
    403,
    AUTH,
    CANNOT_EDIT,
  ],
  [
    'a collaborator removed by one who cannot edit',
    'bob',
    'DELETE',
    at(restricted, `collaborators/${invited.uuid}/`),
    undefined,
    403,
    AUTH,
    CANNOT_EDIT,
  ],
  [
    'a collaborator without a person',
    'ada',
    'POST',
    at(restricted, 'collaborators/'),
    { level: 37 },
    400,
    value('required'),
    'This field is required.',
    'user_uuid',
  ],
  [
    'a collaborator without a level',
    'ada',
    'POST',
    at(restricted, 'collaborators/'),
    { user_uuid: users.bob.uuid },
    400,
    value('required'),
    'This field is required.',
    'level',
  ],
  [
    'a collaborator with an unknown level',
    'ada',
    'POST',
    at(restricted, 'collaborators/'),
    { user_uuid: users.bob.uuid, level: 36 },
    400,
    value('invalid_choice'),
    '"36" is not a valid choice.',
    'level',
  ],
  [
    'a collaborator that is no uuid',
    'ada',
    'POST',
    at(restricted, 'collaborators/'),
    { user_uuid: 'bob', level: 37 },
    400,
    VALUE,
    'Must be a valid UUID.',
    'user_uuid',
  ],
  [
    'a collaborator of an open dashboard',
    'ada',
    'POST',
    at(open, 'collaborators/'),
    { user_uuid: users.bob.uuid, level: 37 },
    400,
    VALUE,
    'Cannot add collaborators to a dashboard on the lowest restriction level.',
  ],
  [
    'a collaborator removed from an open dashboard',
    'ada',
    'DELETE',
    at(open, `collaborators/${users.bob.uuid}/`),
    undefined,
    400,
    VALUE,
    'Cannot remove collaborators from a dashboard on the lowest restriction level.',
  ],
  [
    'a collaborator who may only view',
    'ada',
    'POST',
    at(restricted, 'collaborators/'),
    { user_uuid: users.bob.uuid, level: 21 },
    400,
    VALUE,
    'Only edit access can be explicitly specified currently.',
  ],
  [
    'an unknown collaborator',
    'ada',
    'POST',
    at(restricted, 'collaborators/'),
    { user_uuid: nobody, level: 37 },
    400,
    VALUE,
    'User does not exist.',
  ],
  [
    'an inactive collaborator',
    'ada',
    'POST',
    at(restricted, 'collaborators/'),
    { user_uuid: inactive.uuid, level: 37 },
    400,
    VALUE,
    'User does not exist.',
  ],
  [
    'a collaborator from elsewhere',
    'ada',
    'POST',
    at(restricted, 'collaborators/'),
    { user_uuid: users.outsider.uuid, level: 37 },
    400,
    VALUE,
    'Cannot add collaborators that have no access to the project.',
  ],
  [
    'the creator as collaborator',
    'ada',
    'POST',
    at(restricted, 'collaborators/'),
    { user_uuid: users.ada.uuid, level: 37 },
    400,
    VALUE,
    'Cannot add collaborators that already have inherent access (the dashboard owner or a project admins).',
  ],
  [
    'an admin as collaborator',
    'ada',
    'POST',
    at(restricted, 'collaborators/'),
    { user_uuid: users.admin.uuid, level: 37 },
    400,
    VALUE,
    'Cannot add collaborators that already have inherent access (the dashboard owner or a project admins).',
  ],
  [
    'a collaborator twice',
    'ada',
    'POST',
    at(restricted, 'collaborators/'),
    { user_uuid: invited.uuid, level: 37 },
    400,
    VALUE,
    'User already is a collaborator.',
  ],
  [
    'removing one who is no collaborator',
    'ada',
    'DELETE',
    at(restricted, `collaborators/${users.bob.uuid}/`),
    undefined,
    404,
    MISSING,
    'Not found.',
  ],
  [
    'removing one who is no uuid',
    'ada',
    'DELETE',
    at(restricted, 'collaborators/bob/'),
    undefined,
    404,
    MISSING,
    'Not found.',
  ],

  // 2.15: sharing
  [
    'sharing an unknown dashboard',
    'ada',
    'PATCH',
    '/dashboards/2147483647/sharing/',
    { enabled: true },
    404,
    MISSING,
    'Dashboard not found.',
  ],
  [
    'sharing a deleted dashboard',
    'ada',
    'PATCH',
    at(deleted, 'sharing/'),
    { enabled: true },
    404,
    MISSING,
    'Dashboard not found.',
  ],
  [
    'sharing without the right to edit',
    'bob',
    'PATCH',
    at(restricted, 'sharing/'),
    { enabled: true },
    403,
    AUTH,
    CANNOT_EDIT,
  ],
  [
    'a new token without the right to edit',
    'bob',
    'POST',
    at(restricted, 'sharing/refresh/'),
    {},
    403,
    AUTH,
    CANNOT_EDIT,
  ],
  [
    'half sharing',
    'ada',
    'PATCH',
    at(open, 'sharing/'),
    { enabled: 'maybe' },
    400,
    VALUE,
    'Must be a valid boolean.',
    'enabled',
  ],
  [
    'settings that are a list',
    'ada',
    'PATCH',
    at(open, 'sharing/'),
    { settings: [] },
    400,
    VALUE,
    'Invalid settings format',
    'settings',
  ],
  [
    'an unknown theme',
    'ada',
    'PATCH',
    at(open, 'sharing/'),
    { settings: { theme: 'pink' } },
    400,
    VALUE,
    'Invalid settings format',
    'settings',
  ],
  [
    'a short password',
    'ada',
    'POST',
    at(open, 'sharing/passwords/'),
    { raw_password: 'short' },
    400,
    value('min_length'),
    'Ensure this field has at least 8 characters.',
    'raw_password',
  ],
  [
    'a password that is not there',
    'ada',
    'DELETE',
    at(open, 'sharing/passwords/2147483647/'),
    undefined,
    404,
    MISSING,
    'Not found.',
  ],

  // 3.1 to 3.3: insights
  ['an unknown insight', 'ada', 'GET', '/insights/2147483647/', undefined, 404, MISSING, 'Not found.'],
  ['an unknown short id', 'ada', 'GET', '/insights/nosuchid/', undefined, 404, MISSING, 'Not found.'],
  [
    'a long name of an insight',
    'ada',
    'POST',
    '/insights/',
    { name: long },
    400,
    value('max_length'),
    'Ensure this field has no more than 400 characters.',
    'name',
  ],
  [
    'a question that is a text',
    'ada',
    'POST',
    '/insights/',
    { query: 'select 1' },
    400,
    PARSE,
    'JSON parse error - query: Input should be a valid dictionary',
  ],
  [
    'a question of no kind',
    'ada',
    'POST',
    '/insights/',
    { query: {} },
    400,
    PARSE,
    'JSON parse error - query.kind: Field required, the name of a kind of query',
  ],
  [
    'a source of no kind',
    'ada',
    'POST',
    '/insights/',
    { query: { kind: 'InsightVizNode', source: {} } },
    400,
    PARSE,
    'JSON parse error - query.source.kind: Field required, the name of a kind of query',
  ],
  [
    'an insight on an unknown dashboard',
    'ada',
    'POST',
    '/insights/',
    { dashboards: [2147483647] },
    400,
    value('does_not_exist'),
    'Invalid pk "2147483647" - object does not exist.',
    'dashboards',
  ],
  [
    "an insight on another project's dashboard",
    'ada',
    'POST',
    '/insights/',
    { dashboards: [foreign.id] },
    400,
    VALUE,
    'Dashboard not found',
  ],
  [
    'an insight on a restricted dashboard',
    'bob',
    'POST',
    '/insights/',
    { dashboards: [restricted.id] },
    403,
    AUTH,
    `You don't have permission to add insights to dashboard: ${restricted.id}`,
  ],
  [
    'adding an insight to a restricted dashboard',
    'bob',
    'PATCH',
    `/insights/${insight.id}/`,
    { dashboards: [open.id, restricted.id] },
    403,
    AUTH,
    `You don't have permission to add insights to dashboard: ${restricted.id}`,
  ],
  [
    'taking an insight off a restricted dashboard',
    'bob',
    'PATCH',
    `/insights/${everywhere.id}/`,
    { dashboards: [open.id] },
    403,
    AUTH,
    `You don't have permission to add insights to dashboard: ${restricted.id}`,
  ],
  [
    'an insight that is only on a restricted dashboard',
    'bob',
    'PATCH',
    `/insights/${locked.id}/`,
    { name: 'x' },
    403,
    AUTH,
    INSIGHT_LOCKED,
  ],
  [
    'dashboards that are no list',
    'ada',
    'GET',
    '/insights/?dashboards=1',
    undefined,
    400,
    VALUE,
    'Give a JSON list, for example dashboards=[1,2]',
    'dashboards',
  ],
  [
    'a date that is none',
    'ada',
    'GET',
    '/insights/?date_from=yesterday-ish',
    undefined,
    400,
    VALUE,
    'Give a date such as 2025-03-01, or so long ago, such as -7d.',
    'date_from',
  ],
];

for (const [title, who, method, path, body, status, [type, code], detail, attr = null] of rows) {
  test(`${title} is refused with ${status}`, async () => {
    const answer = await people.ask(who, method, path, body);
    assert.equal(answer.status, status, answer.text);
    const { detail: said, ...rest } = answer.body;
    assert.deepEqual(rest, { type, code, attr });
    if (typeof detail === 'string') assert.equal(said, detail);
    else assert.match(said, detail);
  });
}

test('a refused change of filters leaves them as they were', async () => {
  await get('ada', 'PATCH', at(open), { filters: ['x'] }, 400);
  assert.deepEqual((await people.read('ada', open.id)).filters, {});
});

test('nothing of a refused change of tiles stays', async () => {
  const before = await people.read('ada', open.id);
  const half = {
    name: 'Half',
    tiles: [
      { id: textTile.id, color: 'black' },
      { id: 2147483647, color: 'black' },
    ],
  };
  await get('ada', 'PATCH', at(open), half, 400);
  const { last_accessed_at: _a, ...after } = await people.read('ada', open.id);
  const { last_accessed_at: _b, ...same } = before;
  assert.deepEqual(after, same);
});

test('DELETE of a dashboard, an insight or a template is 405 without a body, whatever the id', async () => {
  for (const path of [at(open), '/dashboards/abc', `/insights/${insight.id}/`, `/dashboard_templates/${nobody}/`]) {
    const { status, text } = await people.ask('ada', 'DELETE', path);
    assert.deepEqual([status, text], [405, ''], path);
  }
  assert.equal((await people.read('ada', open.id)).deleted, false);
});

const session = await app.signIn(users.ada.email);

test('methods that a path does not know are 405 in a session and 403 with a key', async () => {
  const path = at(restricted, 'collaborators/');
  const asKey = await people.ask('ada', 'PATCH', path, {});
  const asSession = await app.send('PATCH', people.project + path, { session, body: {} });
  assert.deepEqual([asKey.status, asKey.body.detail], [403, 'This action does not support personal API key access']);
  assert.deepEqual([asSession.status, asSession.body.detail], [405, 'Method "PATCH" not allowed.']);
});

test('what is viewed is noted in a session only', async () => {
  for (const [method, path] of [
    ['GET', '/insights/my_last_viewed/'],
    ['POST', `/insights/${insight.id}/viewed/`],
  ] as const) {
    const { status, body } = await people.ask('ada', method, path);
    assert.deepEqual([status, body.detail], [403, 'This action does not support personal API key access']);
  }
});

test('insights and templates take JSON only, dashboards also forms', async () => {
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  for (const path of ['/insights/', '/dashboards/create_from_template_json/']) {
    const { status, body } = await people.ask('ada', 'POST', path, 'name=replaced', form);
    assert.deepEqual([status, body.code], [415, 'unsupported_media_type'], path);
  }
  const replaced = await people.ask('ada', 'PATCH', at(viewable), 'name=replaced&pinned=true', form);
  assert.deepEqual([replaced.status, replaced.body.name, replaced.body.pinned], [200, 'replaced', true]);
});

test('a wrong sharing token opens nothing', async () => {
  const read = (path: string) => app.send('GET', people.project + path);
  const wrong = await read('/insights/?sharing_access_token=nonsense');
  assert.deepEqual([wrong.status, wrong.body.detail], [401, 'Sharing access token is invalid.']);
  const elsewhere = await read(`/insights/${locked.id}/?sharing_access_token=${share.access_token}`);
  assert.deepEqual([elsewhere.status, elsewhere.body.detail], [404, 'Not found.']);
  const dashboards = await read(`/dashboards/?sharing_access_token=${share.access_token}`);
  assert.equal(dashboards.status, 401);
});

test('no refusal was a failure of the server', () => assert.deepEqual(people.failures(), []));
