// What a flag does, in one line.
import type { Flag, FlagStatus } from '../../api/use-flags.ts';

export function describeRelease({
  filters,
  is_remote_configuration,
}: Pick<Flag, 'filters' | 'is_remote_configuration'>) {
  const groups = filters.groups ?? [];
  const what = is_remote_configuration ? 'Configuration' : describeValue(filters);
  const chosen = Array.isArray(filters.super_groups) ? ', and for those who chose it' : '';
  return `${what}${groups.length > 1 ? ', ' : ' '}${forWhom(groups)}${chosen}`;
}

function describeValue({ multivariate }: Flag['filters']): string {
  const count = multivariate?.variants.length ?? 0;
  if (count === 0) return 'On';
  return count === 1 ? 'One variant' : `${count} variants`;
}

function forWhom(groups: Flag['filters']['groups']): string {
  if (groups.length === 0) return 'for nobody';
  if (groups.length > 1) return `by ${groups.length} conditions`;
  const [{ properties = [], rollout_percentage } = { properties: [], rollout_percentage: null }] = groups;
  const share = rollout_percentage ?? 100;
  if (properties.length === 0) return share === 100 ? 'for everybody' : `for ${share}%`;
  return share === 100 ? 'for those for whom a condition holds' : `for ${share}% of those for whom a condition holds`;
}

export const statusColor: Record<FlagStatus, string> = {
  ACTIVE: 'teal',
  INACTIVE: 'gray',
  STALE: 'yellow',
  DELETED: 'red',
};

export const statusName: Record<FlagStatus, string> = {
  ACTIVE: 'on',
  INACTIVE: 'off',
  STALE: 'stale',
  DELETED: 'deleted',
};

export const statusAbout: Record<FlagStatus, string> = {
  ACTIVE: 'It is evaluated for everybody who asks.',
  INACTIVE: 'It is off for everybody.',
  STALE: 'It is the same for everybody, and has not changed for a while: it could be taken out of the code.',
  DELETED: 'It is gone.',
};
