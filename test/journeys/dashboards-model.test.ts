// Random sequences of requests by several people, each compared with a plain model of the rules. Seeded: a failure names
// its seed. `npm run test:long` runs the long form.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Answer } from '../app.ts';
import { startDashboardsApp, type Who } from '../model/dashboards-app.ts';
import { DashboardsModel, type ModelDashboard, type Person, type Verdict } from '../model/dashboards-model.ts';
import { isLong, seededRandom, seedOfRun } from '../random.ts';

const people = await startDashboardsApp();
after(() => people[Symbol.asyncDispose]());

const STEPS = isLong ? 5_000 : 150;
const DASHBOARDS_MAX = 12;
const random = seededRandom(seedOfRun);
const model = new DashboardsModel();

const PERSONS = (['owner', 'admin', 'ada', 'bob'] as const).map((who) => ({
  who: who as Who,
  id: people.users[who].id,
  uuid: people.users[who].uuid,
  isAdmin: who === 'owner' || who === 'admin',
}));
type Actor = (typeof PERSONS)[number];

const UNKNOWN = 2147483647;
/** Mostly one that is there, so that most steps get somewhere. */
const mostly = (likely: readonly number[], all: readonly number[]) =>
  likely.length > 0 && random.chance(0.75) ? random.pick(likely) : random.pick([...all, UNKNOWN]);
const anyDashboard = () =>
  mostly(
    [...model.dashboards.values()].filter(({ deleted }) => !deleted).map(({ id }) => id),
    [...model.dashboards.keys()],
  );
const anyInsight = () =>
  mostly(
    [...model.insights.values()].filter(({ deleted }) => !deleted).map(({ id }) => id),
    [...model.insights.keys()],
  );
const anyTile = (dashboard: number) =>
  mostly(
    model.tilesOf(dashboard).map(({ id }) => id),
    [...model.tiles.keys()],
  );
const anyName = () => random.pick([null, 'alpha', 'beta', 'Gamma', 'delta', '', 'ärger', 'z'.repeat(400)]);
const some = (ids: readonly number[]) => ids.filter(() => random.chance(0.4));

const noteDashboard = (
  body: { id: number; name: string | null; pinned: boolean; tags: string[]; filters: object },
  { id: creator }: Actor,
) =>
  model.dashboards.set(body.id, {
    id: body.id,
    name: body.name,
    creator,
    pinned: body.pinned,
    deleted: false,
    restricted: false,
    tags: body.tags,
    filters: body.filters,
    collaborators: new Set(),
    access: undefined,
  });

/** Ids are the server's to choose; which tiles are new, and what they show, is known. */
const noteTiles = (
  dashboard: number,
  tiles: { id: number; insight: { id: number } | null; text: { body: string } | null; color: string | null }[],
) => {
  for (const { id, insight, text, color } of tiles) {
    if (model.tiles.has(id)) continue;
    model.tiles.set(id, {
      id,
      dashboard,
      color,
      deleted: false,
      ...(insight ? { insight: insight.id } : { text: text?.body ?? '' }),
    });
  }
};

type Step = (actor: Actor) => Promise<{ answer: Answer; expected: Verdict; said: string }>;

async function asking(actor: Actor, method: string, path: string, body: unknown, expected: Verdict) {
  const answer = await people.ask(actor.who, method, path, body);
  return { answer, expected, said: `${actor.who} ${method} ${path} ${JSON.stringify(body)}` };
}

const steps: Record<string, Step> = {
  async create(actor) {
    const body = { name: anyName(), pinned: random.chance(0.3), tags: some([1, 2, 3]).map(String), filters: {} };
    const result = await asking(actor, 'POST', '/dashboards/', body, 201);
    noteDashboard(result.answer.body, actor);
    return result;
  },

  async duplicate(actor) {
    const id = anyDashboard();
    const expected = model.judge(id, actor, 'view') === 200 ? 201 : 400;
    const shown = expected === 201 ? model.tilesOf(id) : [];
    const result = await asking(actor, 'POST', '/dashboards/', { use_dashboard: id }, expected);
    if (expected !== 201) return result;
    const { body } = result.answer;
    noteDashboard({ ...body, filters: model.dashboards.get(id)!.filters }, actor);
    noteTiles(body.id, body.tiles);
    assert.equal(model.tilesOf(body.id).length, shown.length);
    return result;
  },

  async change(actor) {
    const id = anyDashboard();
    const body = {
      ...(random.chance(0.5) && { name: anyName() }),
      ...(random.chance(0.5) && { pinned: random.chance(0.5) }),
      ...(random.chance(0.3) && { filters: random.pick([{}, { date_from: '-7d' }]) }),
      ...(random.chance(0.3) && { tags: some([1, 2, 3]).map(String) }),
    };
    const expected = model.judge(id, actor, 'edit');
    const result = await asking(actor, random.pick(['PATCH', 'PUT']), `/dashboards/${id}/`, body, expected);
    if (expected === 200) Object.assign(model.dashboards.get(id)!, body);
    return result;
  },

  async restrict(actor) {
    const id = anyDashboard();
    const dashboard = model.dashboards.get(id);
    const restricted = random.chance(0.8);
    const editing = model.judge(id, actor, 'edit');
    const expected = editing === 200 && !model.mayRestrict(dashboard!, actor) ? 403 : editing;
    const body = { restriction_level: restricted ? 37 : 21 };
    const result = await asking(actor, 'PATCH', `/dashboards/${id}/`, body, expected);
    if (expected === 200) dashboard!.restricted = restricted;
    return result;
  },

  async delete(actor) {
    const id = anyDashboard();
    const delete_insights = random.chance(0.5);
    const expected = model.judge(id, actor, 'edit');
    const result = await asking(actor, 'PATCH', `/dashboards/${id}/`, { deleted: true, delete_insights }, expected);
    if (expected === 200) model.delete(id, delete_insights);
    return result;
  },

  async restore(actor) {
    const id = anyDashboard();
    const dashboard = model.dashboards.get(id);
    const wasDeleted = dashboard?.deleted ?? false;
    if (dashboard) dashboard.deleted = false;
    const expected = model.judge(id, actor, 'edit');
    if (dashboard) dashboard.deleted = wasDeleted;
    const result = await asking(actor, 'PATCH', `/dashboards/${id}/`, { deleted: false }, expected);
    if (expected === 200 && wasDeleted) model.restore(id);
    return result;
  },

  async writeText(actor) {
    const id = anyDashboard();
    const expected = model.judge(id, actor, 'edit');
    const tiles = [{ text: { body: `Note ${random.int(1000)}` }, color: random.pick(['blue', null]) }];
    const result = await asking(actor, 'PATCH', `/dashboards/${id}/`, { tiles }, expected);
    if (expected === 200) noteTiles(id, result.answer.body.tiles);
    return result;
  },

  async changeTile(actor) {
    const id = anyDashboard();
    const tile = model.tiles.get(anyTile(id));
    const change = random.pick([{ color: 'green' }, { deleted: true }, { deleted: false }]);
    const editing = model.judge(id, actor, 'edit');
    const expected = editing === 200 && tile?.dashboard !== id ? 400 : editing;
    const tiles = [{ id: tile?.id ?? UNKNOWN, ...change }];
    const result = await asking(actor, 'PATCH', `/dashboards/${id}/`, { tiles }, expected);
    if (expected === 200) Object.assign(tile!, change);
    return result;
  },

  async move(actor) {
    const [from, to] = [anyDashboard(), anyDashboard()];
    const tile = anyTile(from);
    const expected = model.move(from, tile, to, actor);
    return asking(actor, 'PATCH', `/dashboards/${from}/move_tile/`, { tile: { id: tile }, toDashboard: to }, expected);
  },

  async createInsight(actor) {
    const dashboards = some([...model.dashboards.keys()].filter((id) => !model.dashboards.get(id)!.deleted));
    const isAllowed = dashboards.every((id) => model.mayEdit(model.dashboards.get(id)!, actor));
    const result = await asking(actor, 'POST', '/insights/', { name: anyName(), dashboards }, isAllowed ? 201 : 403);
    if (!isAllowed) return result;
    const { id, name, dashboard_tiles } = result.answer.body;
    model.insights.set(id, { id, name, deleted: false });
    for (const tile of dashboard_tiles) {
      model.tiles.set(tile.id, { id: tile.id, dashboard: tile.dashboard_id, insight: id, color: null, deleted: false });
    }
    return result;
  },

  async placeInsight(actor) {
    const id = anyInsight();
    const before = model.placesOf(id);
    const live = [...model.dashboards.values()].filter(({ deleted }) => !deleted);
    const dashboards = some(live.map((dashboard) => dashboard.id));
    const touched = live.filter((dashboard) => before.includes(dashboard.id) !== dashboards.includes(dashboard.id));
    const editing = model.judgeInsight(id, actor, 'edit');
    const isAllowed = touched.every((dashboard) => model.mayEdit(dashboard, actor));
    const expected = editing === 200 && !isAllowed ? 403 : editing;
    const result = await asking(actor, 'PATCH', `/insights/${id}/`, { dashboards }, expected);
    if (expected !== 200) return result;
    for (const tile of model.tiles.values()) {
      if (tile.insight === id && before.includes(tile.dashboard)) tile.deleted = !dashboards.includes(tile.dashboard);
    }
    for (const tile of result.answer.body.dashboard_tiles) {
      const known = model.tiles.get(tile.id);
      if (known) known.deleted = false;
      else
        model.tiles.set(tile.id, {
          id: tile.id,
          dashboard: tile.dashboard_id,
          insight: id,
          color: null,
          deleted: false,
        });
    }
    return result;
  },

  async deleteInsight(actor) {
    const id = anyInsight();
    const expected = model.judgeInsight(id, actor, 'edit');
    const result = await asking(actor, 'PATCH', `/insights/${id}/`, { deleted: true }, expected);
    if (expected === 200) model.deleteInsight(id);
    return result;
  },

  async invite(actor) {
    const id = anyDashboard();
    const guest = random.pick(PERSONS);
    const dashboard = model.dashboards.get(id);
    const editing = model.judge(id, actor, 'edit');
    const isRefused =
      editing === 200 &&
      (!dashboard!.restricted || model.mayRestrict(dashboard!, guest) || dashboard!.collaborators.has(guest.id));
    const expected = isRefused ? 400 : editing === 200 ? 201 : editing;
    const body = { user_uuid: guest.uuid, level: 37 };
    const result = await asking(actor, 'POST', `/dashboards/${id}/collaborators/`, body, expected);
    if (expected === 201) dashboard!.collaborators.add(guest.id);
    return result;
  },

  async uninvite(actor) {
    const id = anyDashboard();
    const guest = random.pick(PERSONS);
    const dashboard = model.dashboards.get(id);
    const editing = model.judge(id, actor, 'edit');
    const isOpen = editing === 200 && !dashboard!.restricted;
    const isGuest = dashboard?.collaborators.has(guest.id) ?? false;
    const expected = editing !== 200 ? editing : isOpen ? 400 : isGuest ? 204 : 404;
    const result = await asking(actor, 'DELETE', `/dashboards/${id}/collaborators/${guest.uuid}/`, undefined, expected);
    if (expected === 204) dashboard!.collaborators.delete(guest.id);
    return result;
  },

  async rule(actor) {
    const id = anyDashboard();
    const dashboard = model.dashboards.get(id);
    const access_level = random.pick(['none', 'viewer', 'editor', null] as const);
    const viewing = model.judge(id, actor, 'view');
    const isAllowed = viewing === 200 && model.mayRestrict(dashboard!, actor);
    const expected = viewing !== 200 ? viewing : !isAllowed ? 403 : access_level === null ? 204 : 200;
    const result = await asking(actor, 'PUT', `/dashboards/${id}/access_controls/`, { access_level }, expected);
    if (isAllowed) dashboard!.access = access_level ?? undefined;
    return result;
  },
};

async function compareLists(person: Actor): Promise<void> {
  const { results, count } = await people.get(person.who, 'GET', '/dashboards/');
  const expected = model.listFor(person);
  assert.equal(count, expected.length);
  assert.deepEqual(
    results.map(({ id }: { id: number }) => id),
    expected.map(({ id }) => id),
  );
}

async function compareDashboard(dashboard: ModelDashboard, person: Person & { who: Who }): Promise<void> {
  const { status, body } = await people.ask(person.who, 'GET', `/dashboards/${dashboard.id}/`);
  assert.equal(status, model.judge(dashboard.id, person, 'view'));
  if (status !== 200) return;
  const { name, pinned, tags, filters, restriction_level, effective_privilege_level, user_access_level } = body;
  assert.deepEqual(
    { name, pinned, tags, filters, restriction_level, effective_privilege_level, user_access_level },
    {
      name: dashboard.name,
      pinned: dashboard.pinned,
      tags: dashboard.tags,
      filters: dashboard.filters,
      restriction_level: dashboard.restricted ? 37 : 21,
      effective_privilege_level: model.isInvited(dashboard, person) ? 37 : 21,
      user_access_level: model.accessOf(dashboard, person),
    },
  );
  type Shown = {
    id: number;
    color: string | null;
    insight: { id: number; dashboards: number[] } | null;
    text: { body: string } | null;
  };
  const shown = body.tiles.map(({ id, color, insight, text }: Shown) => ({
    id,
    color,
    insight: insight?.id,
    text: text?.body,
    places: insight?.dashboards,
  }));
  assert.deepEqual(
    shown,
    model
      .tilesOf(dashboard.id)
      .sort((a, b) => a.id - b.id)
      .map(({ id, color, insight, text }) => ({
        id,
        color,
        insight,
        text,
        places: insight === undefined ? undefined : model.placesOf(insight),
      })),
  );
}

test(`${STEPS} random steps by four people agree with the model (TENREC_TEST_SEED=${seedOfRun})`, async () => {
  const names = Object.keys(steps);
  const seen = new Map<string, number>();
  for (let n = 0; n < STEPS; n += 1) {
    const isFull = model.dashboards.size >= DASHBOARDS_MAX;
    const isEmpty = model.dashboards.size < 2 || model.insights.size < 1;
    const name = isEmpty
      ? random.pick(['create', 'createInsight'])
      : random.pick(isFull ? names.filter((each) => each !== 'create' && each !== 'duplicate') : names);
    const actor = random.pick(PERSONS);
    const { answer, expected, said } = await steps[name]!(actor);
    const context = `step ${n}, seed ${seedOfRun}: ${said}: ${answer.text.slice(0, 300)}`;
    assert.equal(answer.status, expected, context);
    seen.set(`${name} ${expected}`, (seen.get(`${name} ${expected}`) ?? 0) + 1);

    const onlooker = random.pick(PERSONS);
    try {
      await compareLists(onlooker);
      for (const dashboard of model.dashboards.values()) {
        // All of them now and then, otherwise a few: what a step does may show on another dashboard.
        if (n % 20 === 0 || random.chance(0.15)) await compareDashboard(dashboard, onlooker);
      }
    } catch (error) {
      throw new Error(`as ${onlooker.who} sees it after ${context}`, { cause: error });
    }
  }
  assert.deepEqual(people.failures(), []);
  // A short run may by chance never get to one of them; a long one must.
  const idle = names.filter((name) => ![200, 201, 204].some((status) => seen.has(`${name} ${status}`)));
  assert.ok(idle.length <= (isLong ? 0 : names.length / 4), `never succeeded: ${idle}; ${JSON.stringify([...seen])}`);
});
