// Organizations, their members and the invites to them.
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { invalid, notFound, permissionDenied } from '../../http/errors.ts';
import { parseUuid } from '../../http/fields.ts';
import { paged, readPage } from '../../http/paging.ts';
import { callerRoute, created, empty, organizationRoute, type Route } from '../../http/route.ts';
import type { AccountRow, Database, MembershipLevel, OrganizationRow } from '../../metadata/tables.ts';
import { ADMIN, OWNER, requireAdmin } from '../access/levels.ts';
import { listOrganizationsOf } from '../sql.ts';
import { pagedOf } from '../wire.ts';
import { requireChangeAllowed } from './change-level.ts';
import {
  deleteInvite,
  deleteMembership,
  deleteOrganization,
  findInvite,
  findMember,
  findOrganizationParts,
  insertInvite,
  insertOrganization,
  isMemberByEmail,
  listInvites,
  listMembers,
  updateLevel,
  updateOrganization,
} from './sql.ts';
import {
  Invite,
  InviteDraft,
  Member,
  MemberChange,
  Organization,
  OrganizationDraft,
  toInvite,
  toMember,
  toOrganization,
} from './wire.ts';

export const organizationRoutes = (db: Kysely<Database>): Route[] => {
  const show = async (organization: OrganizationRow, level: MembershipLevel | null) => {
    const { projects, member_count } = await findOrganizationParts(db, organization.id);
    return toOrganization(organization, level, projects, member_count);
  };

  const loadMember = async (organization: OrganizationRow, user_uuid: string, user: AccountRow) => {
    const uuid = user_uuid === '@me' ? user.uuid : parseUuid(user_uuid);
    const member = uuid ? await findMember(db, organization.id, uuid) : undefined;
    if (!member) throw notFound();
    return member;
  };

  return [
    callerRoute('GET', '/organizations/', {
      summary: 'List the organizations you belong to',
      scope: 'organization:read',
      returns: pagedOf(Organization),
      async handle({ user, url, query }) {
        const page = readPage(query);
        const all = await listOrganizationsOf(db, user.id);
        const shown = all.slice(page.offset, page.offset + page.limit);
        const results = await Promise.all(shown.map(({ organization, level }) => show(organization, level)));
        return paged(url, page, all.length, results);
      },
    }),

    callerRoute('POST', '/organizations/', {
      summary: 'Create an organization that you own',
      scope: 'organization:write',
      body: OrganizationDraft,
      returns: Organization,
      status: 201,
      async handle({ user, body }) {
        return created(await show(await insertOrganization(db, body.name, user.id), OWNER));
      },
    }),

    organizationRoute('GET', '/', {
      summary: 'Read an organization',
      scope: 'organization:read',
      returns: Organization,
      handle: ({ organization, level }) => show(organization, level),
    }),

    ...(['PATCH', 'PUT'] as const).map((method) =>
      organizationRoute(method, '/', {
        summary: 'Change an organization',
        scope: 'organization:write',
        body: method === 'PATCH' ? OrganizationDraft.partial() : OrganizationDraft,
        returns: Organization,
        load: ({ level }) => requireAdmin(level),
        async handle({ organization, level, body }) {
          return show(await updateOrganization(db, organization.id, body), level);
        },
      }),
    ),

    organizationRoute('DELETE', '/', {
      summary: 'Delete an organization with all its projects',
      scope: 'organization:write',
      status: 204,
      async handle({ organization, level }) {
        if (level < OWNER) throw permissionDenied('Your organization access level is insufficient.');
        await deleteOrganization(db, organization.id);
        return empty(204);
      },
    }),

    organizationRoute('GET', '/members/', {
      summary: 'List the members of an organization',
      scope: 'organization_member:read',
      returns: pagedOf(Member),
      async handle({ organization, url, query }) {
        const page = readPage(query);
        const { count, members } = await listMembers(db, organization.id, page);
        return paged(
          url,
          page,
          count,
          members.map(({ membership, user }) => toMember(membership, user)),
        );
      },
    }),

    organizationRoute('PATCH', '/members/:user__uuid/', {
      summary: "Change a member's level",
      scope: 'organization_member:write',
      body: MemberChange,
      returns: Member,
      load: ({ organization, params, user }) => loadMember(organization, params.user__uuid ?? '', user),
      async handle({ organization, user, level, body, found }) {
        requireAdmin(level);
        if (body.level === undefined) return toMember(found.membership, found.user);
        requireChangeAllowed({
          own: level,
          self: found.user.id === user.id,
          from: found.membership.level,
          to: body.level,
        });
        return toMember(await updateLevel(db, organization.id, found.user.id, body.level), found.user);
      },
    }),

    organizationRoute('DELETE', '/members/:user__uuid/', {
      summary: 'Remove a member, or leave',
      scope: 'organization_member:write',
      status: 204,
      load: ({ organization, params, user }) => loadMember(organization, params.user__uuid ?? '', user),
      async handle({ organization, user, level, found }) {
        const leaving = found.user.id === user.id;
        if (!leaving) requireAdmin(level);
        if (found.membership.level > level) {
          throw permissionDenied('You can only edit others with level lower or equal to you.');
        }
        if (leaving && level === OWNER) {
          throw invalid("You can't leave an organization that you own. Pass on its ownership first.");
        }
        await deleteMembership(db, organization.id, found.user.id);
        return empty(204);
      },
    }),

    organizationRoute('GET', '/invites/', {
      summary: 'List the open invites to an organization',
      scope: 'organization_member:read',
      returns: pagedOf(Invite),
      async handle({ organization, url, query }) {
        const page = readPage(query);
        const { count, invites } = await listInvites(db, organization.id, page);
        return paged(
          url,
          page,
          count,
          invites.map(({ invite, createdBy }) => toInvite(invite, createdBy, Date.now())),
        );
      },
    }),

    organizationRoute('POST', '/invites/', {
      summary: 'Invite a person; hand them /signup/<id> of the answer',
      scope: 'organization_member:write',
      body: InviteDraft,
      returns: Invite,
      status: 201,
      load: ({ organization, level }) => requireMayInvite(organization, level),
      async handle({ organization, user, level, body }) {
        return created(await invite(organization, user, level, body));
      },
    }),

    organizationRoute('DELETE', '/invites/:id/', {
      summary: 'Take an invite back',
      scope: 'organization_member:write',
      status: 204,
      async handle({ organization, level, params, user }) {
        const id = parseUuid(params.id ?? '');
        const found = id ? await findInvite(db, id) : undefined;
        if (!found || found.organization_id !== organization.id) throw notFound();
        if (found.created_by_id !== user.id) requireAdmin(level);
        await deleteInvite(db, found.id);
        return empty(204);
      },
    }),
  ];

  async function invite(
    organization: OrganizationRow,
    user: AccountRow,
    own: MembershipLevel,
    { target_email, first_name = '', level = 1, message = null }: z.output<typeof InviteDraft>,
  ) {
    if (level > own) throw permissionDenied('You cannot invite to a higher permission level than your own.');
    if (await isMemberByEmail(db, organization.id, target_email)) {
      throw invalid('A user with this email address already belongs to the organization.', 'target_email');
    }
    const row = await insertInvite(db, {
      organization_id: organization.id,
      target_email,
      first_name,
      level,
      message,
      created_by_id: user.id,
    });
    return toInvite(row, user, Date.now());
  }
};

function requireMayInvite(organization: OrganizationRow, level: MembershipLevel): void {
  if (level < ADMIN && !organization.members_can_invite) {
    throw permissionDenied('You do not have permission to invite members to this organization.');
  }
}
