// Which flags a list shows, and in what order. A project has few enough to look at them all.
import type { FeatureFlagRow } from '../../metadata/tables.ts';
import { readFilters } from '../evaluation/definition.ts';
import { statusOf } from './status.ts';

const ORDERS = new Set(['id', 'key', 'name', 'created_at', 'updated_at', 'active', 'version']);

export function pickListed(flags: readonly FeatureFlagRow[], query: URLSearchParams, nowMs: number): FeatureFlagRow[] {
  const [active, creator, type] = [query.get('active'), query.get('created_by_id'), query.get('type')];
  const search = query.get('search')?.toLowerCase();
  const listed = flags.filter(
    (flag) =>
      // The flags that surveys keep for themselves are shown with the surveys.
      flag.creation_context !== 'surveys' &&
      (!active || isOfActivity(flag, active, nowMs)) &&
      (!creator || String(flag.created_by_id) === creator) &&
      (!search || flag.key.toLowerCase().includes(search) || flag.name.toLowerCase().includes(search)) &&
      (!type || isOfType(flag, type)),
  );
  return inOrder(listed, query.get('order'));
}

function isOfActivity(flag: FeatureFlagRow, active: string, nowMs: number): boolean {
  if (active === 'STALE') return statusOf(flag, nowMs).status === 'STALE';
  return flag.active === (active.toLowerCase() === 'true');
}

function isOfType(flag: FeatureFlagRow, type: string): boolean {
  const isMultivariate = readFilters(flag).variants.length > 0;
  if (type === 'boolean') return !isMultivariate && !flag.is_remote_configuration;
  if (type === 'multivariant') return isMultivariate;
  return type === 'remote_config' && flag.is_remote_configuration;
}

function inOrder(flags: FeatureFlagRow[], order: string | null): FeatureFlagRow[] {
  const field = (order ?? '').replace(/^-/, '') as keyof FeatureFlagRow;
  if (!order || !ORDERS.has(field)) return flags;
  const direction = order.startsWith('-') ? -1 : 1;
  const compare = (a: FeatureFlagRow, b: FeatureFlagRow) => {
    const [one, other] = [a[field] ?? '', b[field] ?? ''];
    return one < other ? -direction : one > other ? direction : b.id - a.id;
  };
  return flags.toSorted(compare);
}
