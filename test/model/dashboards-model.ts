// The rules of dashboards, tiles, insights and rights once more, as plain data in memory: what the server must agree with.

export interface Person {
  id: number;
  uuid: string;
  isAdmin: boolean;
}

export interface ModelDashboard {
  id: number;
  name: string | null;
  creator: number;
  pinned: boolean;
  deleted: boolean;
  restricted: boolean;
  tags: string[];
  filters: object;
  collaborators: Set<number>;
  /** The rule for everyone. */
  access: 'none' | 'viewer' | 'editor' | undefined;
}

export interface ModelTile {
  id: number;
  dashboard: number;
  insight?: number;
  text?: string;
  color: string | null;
  deleted: boolean;
}

export interface ModelInsight {
  id: number;
  name: string | null;
  deleted: boolean;
}

/** What a request should be answered with. */
export type Verdict = 200 | 201 | 204 | 400 | 403 | 404;

export class DashboardsModel {
  readonly dashboards = new Map<number, ModelDashboard>();
  readonly insights = new Map<number, ModelInsight>();
  readonly tiles = new Map<number, ModelTile>();

  // Rights

  mayRestrict({ creator }: ModelDashboard, person: Person): boolean {
    return person.isAdmin || creator === person.id;
  }

  accessOf(dashboard: ModelDashboard, person: Person): 'none' | 'viewer' | 'editor' {
    return this.mayRestrict(dashboard, person) ? 'editor' : (dashboard.access ?? 'editor');
  }

  isInvited(dashboard: ModelDashboard, person: Person): boolean {
    const { restricted, collaborators } = dashboard;
    return !restricted || this.mayRestrict(dashboard, person) || collaborators.has(person.id);
  }

  mayEdit(dashboard: ModelDashboard, person: Person): boolean {
    return this.accessOf(dashboard, person) === 'editor' && this.isInvited(dashboard, person);
  }

  /** Whether a live dashboard may be read or edited; 200 stands for yes. */
  judge(id: number, person: Person, intent: 'view' | 'edit'): Verdict {
    const dashboard = this.dashboards.get(id);
    if (!dashboard || dashboard.deleted) return 404;
    if (this.accessOf(dashboard, person) === 'none') return 403;
    return intent === 'view' || this.mayEdit(dashboard, person) ? 200 : 403;
  }

  judgeInsight(id: number, person: Person, intent: 'view' | 'edit'): Verdict {
    const insight = this.insights.get(id);
    if (!insight || insight.deleted) return 404;
    const places = this.placesOf(id).map((place) => this.dashboards.get(place)!);
    const isOpen = places.length === 0 || places.some((dashboard) => this.isInvited(dashboard, person));
    return intent === 'view' || isOpen ? 200 : 403;
  }

  // What is where

  tilesOf(dashboard: number): ModelTile[] {
    return [...this.tiles.values()].filter(
      (tile) => tile.dashboard === dashboard && !tile.deleted && !this.insights.get(tile.insight ?? 0)?.deleted,
    );
  }

  placesOf(insight: number): number[] {
    return [...this.tiles.values()]
      .filter((tile) => tile.insight === insight && !tile.deleted && !this.dashboards.get(tile.dashboard)?.deleted)
      .sort((a, b) => a.id - b.id)
      .map(({ dashboard }) => dashboard);
  }

  tileOn(dashboard: number, insight: number): ModelTile | undefined {
    return [...this.tiles.values()].find((tile) => tile.dashboard === dashboard && tile.insight === insight);
  }

  listFor(person: Person): ModelDashboard[] {
    const byName = (a: string | null, b: string | null) =>
      a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1;
    return [...this.dashboards.values()]
      .filter((dashboard) => !dashboard.deleted && this.accessOf(dashboard, person) !== 'none')
      .sort((a, b) => Number(b.pinned) - Number(a.pinned) || byName(a.name, b.name) || a.id - b.id);
  }

  // Changes

  delete(id: number, withInsights: boolean): void {
    const dashboard = this.dashboards.get(id)!;
    const shown = this.tilesOf(id).flatMap(({ insight }) => insight ?? []);
    dashboard.deleted = true;
    for (const tile of this.tiles.values()) if (tile.dashboard === id) tile.deleted = true;
    for (const insight of withInsights ? shown : []) {
      if (this.placesOf(insight).length === 0) this.insights.get(insight)!.deleted = true;
    }
  }

  restore(id: number): void {
    this.dashboards.get(id)!.deleted = false;
    for (const tile of this.tiles.values()) {
      if (tile.dashboard !== id) continue;
      tile.deleted = false;
      const insight = this.insights.get(tile.insight ?? 0);
      if (insight) insight.deleted = false;
    }
  }

  deleteInsight(id: number): void {
    this.insights.get(id)!.deleted = true;
    for (const tile of this.tiles.values()) if (tile.insight === id) tile.deleted = true;
  }

  /** The verdict on moving a tile, and the move when it is allowed. */
  move(from: number, tile_id: number, to: number, person: Person): Verdict {
    const allowed = this.judge(from, person, 'edit');
    if (allowed !== 200) return allowed;
    const tile = this.tilesOf(from).find(({ id }) => id === tile_id);
    const destination = this.dashboards.get(to);
    if (!tile || !destination || destination.deleted) return 404;
    if (!this.mayEdit(destination, person)) return 403;
    const twin = tile.insight === undefined ? undefined : this.tileOn(to, tile.insight);
    if ((twin && !twin.deleted) || to === from) return 400;
    if (twin) this.tiles.delete(twin.id);
    tile.dashboard = to;
    return 200;
  }
}
