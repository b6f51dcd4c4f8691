// Makes the tiles of a dashboard from a template.
import { invalid } from '../../http/errors.ts';
import { insertInsight } from '../insights/sql.ts';
import type { Db, Tx } from '../sql.ts';
import { insertText, insertTile } from '../tiles/sql.ts';
import { findBuiltIn } from './built-in.ts';
import { fillPlaceholders } from './fill.ts';
import { findTemplateNamed } from './sql.ts';
import { type Blueprint, parseTiles, type TemplateTile } from './wire.ts';

/** The template of that name, its open places filled with their defaults. */
export async function getBlueprint(db: Db, team_id: number, template_name: string): Promise<Blueprint> {
  const template = (await findTemplateNamed(db, team_id, template_name)) ?? findBuiltIn(template_name);
  if (!template) throw invalid(`Invalid template provided: ${template_name}`, 'use_template');
  const { dashboard_description, dashboard_filters, tags, variables } = template;
  const tiles = parseTiles(fillPlaceholders(template.tiles, variables));
  return { template_name, dashboard_description, dashboard_filters, tags, tiles };
}

/** What a template makes is a sample that nobody wrote. */
export async function insertTemplateTiles(
  tx: Tx,
  { id: dashboard_id, team_id }: { id: number; team_id: number },
  tiles: readonly TemplateTile[],
): Promise<void> {
  for (const tile of tiles) {
    const content = tile.type === 'TEXT' ? await makeText(tx, team_id, tile) : await makeInsight(tx, team_id, tile);
    await insertTile(tx, { dashboard_id, ...content, layouts: tile.layouts ?? {}, color: tile.color ?? null });
  }
}

async function makeText(tx: Tx, team_id: number, { body = null }: Extract<TemplateTile, { type: 'TEXT' }>) {
  return { text_id: await insertText(tx, { team_id, body, created_by_id: null }) };
}

async function makeInsight(tx: Tx, team_id: number, tile: Extract<TemplateTile, { type: 'INSIGHT' }>) {
  const { name = null, description = null, query = null, filters } = tile;
  const draft = { name, description, query, filters: query ? {} : (filters ?? {}), is_sample: true };
  return { insight_id: (await insertInsight(tx, { team_id, created_by_id: null }, draft)).id };
}
