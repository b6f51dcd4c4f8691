// A flag as somebody edits it, and what would be refused about it. Pure.
import type { Flag, FlagCondition, FlagDraft, FlagFilters, FlagVariant } from '../../api/use-flags.ts';
import { isFilterComplete, type PersonFilter } from '../../pickers/person-filter.ts';

export type EditedFlag = Required<FlagDraft>;

const wholeCondition = (): FlagCondition => ({ properties: [], rollout_percentage: 100, variant: null });

export const newFlag = (): EditedFlag => ({
  key: '',
  name: '',
  active: true,
  ensure_experience_continuity: false,
  evaluation_runtime: 'all',
  tags: [],
  filters: { groups: [{ ...wholeCondition(), rollout_percentage: 0 }], multivariate: null, payloads: {} },
});

export function toEdited(flag: Flag): EditedFlag {
  const { key, name, active, ensure_experience_continuity, evaluation_runtime, tags, filters } = flag;
  const groups = (filters.groups ?? []).map((group) => ({ ...group, properties: group.properties ?? [] }));
  return {
    key,
    name,
    active,
    ensure_experience_continuity,
    evaluation_runtime,
    tags,
    filters: { ...filters, groups, payloads: filters.payloads ?? {} },
  };
}

/** What the server told beside a number is not sent back. */
const withoutNames = ({ cohort_name: _, ...filter }: PersonFilter): PersonFilter => filter;

/** Payloads of variants that are gone are left out, and so are empty ones. */
export function toDraft(edited: EditedFlag): FlagDraft {
  const { filters } = edited;
  const names = payloadNames(filters);
  const payloads = Object.fromEntries(
    Object.entries(filters.payloads ?? {}).filter(([name, text]) => names.includes(name) && text.trim() !== ''),
  );
  const groups = filters.groups.map((group) => ({ ...group, properties: group.properties.map(withoutNames) }));
  return { ...edited, filters: { ...filters, groups, payloads } };
}

export const variantsOf = (filters: FlagFilters): FlagVariant[] => filters.multivariate?.variants ?? [];

/** What a payload can go with. */
export const payloadNames = (filters: FlagFilters): string[] => {
  const variants = variantsOf(filters);
  return variants.length === 0 ? ['true'] : variants.map(({ key }) => key);
};

/** Shares that add up to a hundred, as equal as whole numbers can be. */
export function shareEqually(variants: readonly FlagVariant[]): FlagVariant[] {
  const share = Math.floor(100 / variants.length);
  const rest = 100 - share * variants.length;
  return variants.map((variant, index) => ({ ...variant, rollout_percentage: share + (index < rest ? 1 : 0) }));
}

const KEY = /^[a-zA-Z0-9_-]+$/;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The first thing that keeps the flag from being saved; undefined when nothing does. */
export function findMistake({ key, filters }: EditedFlag): string | undefined {
  if (!KEY.test(key)) return 'Give it a key of letters, numbers, hyphens and underscores.';
  const variants = variantsOf(filters);
  const names = variants.map((variant) => variant.key);
  if (names.some((name) => name.trim() === '')) return 'Every variant needs a key.';
  if (new Set(names).size < names.length) return 'Two variants have the same key.';
  const sum = variants.reduce((total, { rollout_percentage }) => total + rollout_percentage, 0);
  if (variants.length > 0 && Math.abs(sum - 100) > 1e-9) return `The variants add up to ${sum}%, not to 100%.`;
  for (const [index, group] of filters.groups.entries()) {
    if (!group.properties.every(isFilterComplete)) return `Condition ${index + 1} is not finished.`;
    if (group.variant && !names.includes(group.variant)) return `Condition ${index + 1} gives a variant that is gone.`;
  }
  for (const name of payloadNames(filters)) {
    const text = filters.payloads?.[name]?.trim() ?? '';
    if (text !== '' && !isJson(text)) return `The payload of “${name}” is not JSON; texts stand in quotes.`;
  }
  return undefined;
}
