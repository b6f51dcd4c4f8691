// Those who ask, and what they ask about.
import { startTestApp } from '../../app.ts';

export type Callers = Awaited<ReturnType<typeof makeCallers>>;

export async function makeCallers() {
  const app = await startTestApp();
  const other = await app.addOrganization('Other');
  const member = await app.addUser('member@example.com');
  const admin = await app.addUser('admin@example.com', 8);
  const session = await app.signIn(app.owner.email);
  const memberSession = await app.signIn(member.email);

  const key = app.key;
  const reader = await app.addKey(app.owner.id, { scopes: ['project:read'] });
  const writer = await app.addKey(app.owner.id, { scopes: ['project:write'] });
  const bare = await app.addKey(app.owner.id, { scopes: ['dashboard:read'] });
  const elsewhere = await app.addKey(app.owner.id, { scoped_teams: [4711] });
  const otherOrganization = await app.addKey(app.owner.id, { scoped_organizations: [other.organization.id] });
  const here = `/api/projects/${app.project.id}/`;
  const mine = `/api/organizations/${app.organization.id}/`;

  return {
    app,
    other,
    member,
    admin,
    session,
    memberSession,
    key,
    reader,
    writer,
    bare,
    elsewhere,
    otherOrganization,
    here,
    mine,
  };
}
