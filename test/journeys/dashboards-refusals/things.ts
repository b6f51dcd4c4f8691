// The dashboards, insights and people that refusals are about.
import { startDashboardsApp } from '../../model/dashboards-app.ts';

export type Things = Awaited<ReturnType<typeof makeThings>>;

export async function makeThings() {
  const people = await startDashboardsApp();
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

  return {
    people,
    users,
    open,
    restricted,
    deleted,
    hidden,
    viewable,
    insight,
    locked,
    everywhere,
    tileOf,
    textTile,
    foreign,
    invited,
    inactive,
    share,
  };
}
