// Figures of which some must be at least, and others at most, so much; printed beside that.
import { printTable } from '../../src/cli/table.ts';
import type { Figure } from '../measure/figure.ts';

export interface Goal extends Figure {
  /** The least it may be. */
  min?: number;
}

/** Neighbours on the machine come and go: only a limit missed by more than this fails the run. */
const NOISE_SHARE = 0.1;

type Verdict = '' | 'within' | 'missed, by less than noise' | 'missed';

export function judge({ value, max, min }: Goal): Verdict {
  if (max === undefined && min === undefined) return '';
  const { most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY } = { most: max, least: min };
  if (value <= most && value >= least) return 'within';
  const near = value <= most * (1 + NOISE_SHARE) && value >= least * (1 - NOISE_SHARE);
  return near ? 'missed, by less than noise' : 'missed';
}

const show = (value: number, unit: string) =>
  `${value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 })} ${unit}`;

function showLimit({ max, min, unit }: Goal): string {
  if (min !== undefined) return `≥ ${show(min, unit)}`;
  return max === undefined ? '' : `≤ ${show(max, unit)}`;
}

export function printGoals(goals: readonly Goal[]): string {
  const rows = goals.map((goal) => [goal.name, show(goal.value, goal.unit), showLimit(goal), judge(goal)]);
  return printTable(['FIGURE', 'MEASURED', 'LIMIT', ''], rows);
}
