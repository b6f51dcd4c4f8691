// What a chart says under the pointer. Built from text nodes: names come from outside and must never be read as HTML.
import { formatNumber } from '../ui/format.ts';
import classes from './tooltip.module.css';

interface Hovered {
  axisValueLabel?: string;
  seriesName?: string;
  name?: string;
  value?: unknown;
  color?: unknown;
  dataType?: string;
  data?: { source?: string; target?: string };
  seriesType?: string;
}

const LINES_MAX = 15;
const PATH_STEP = /^\d+_/;

function element(tag: string, className: string | undefined, text = ''): HTMLElement {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : Number(value ?? 0));

function nameOf({ seriesType, seriesName, name = '', data }: Hovered): string {
  if (seriesType === 'sankey') {
    const plain = (key: string) => key.replace(PATH_STEP, '');
    return data?.source && data.target ? `${plain(data.source)} → ${plain(data.target)}` : plain(name);
  }
  return seriesType === 'pie' || !seriesName || /^series\d+$|^series\0/.test(seriesName) ? name : seriesName;
}

export function tooltipContent(params: unknown): HTMLElement {
  const hovered = (Array.isArray(params) ? params : [params]) as Hovered[];
  const box = element('div', classes.box);
  const title = hovered[0]?.axisValueLabel;
  if (title) box.append(element('div', classes.title, title));
  const sorted = [...hovered].sort((a, b) => Math.abs(numberOf(b.value)) - Math.abs(numberOf(a.value)));
  for (const each of sorted.slice(0, LINES_MAX)) {
    const line = element('div', classes.line);
    const dot = element('span', classes.dot);
    if (typeof each.color === 'string') dot.style.background = each.color;
    line.append(
      dot,
      element('span', classes.name, nameOf(each)),
      element('b', undefined, formatNumber(numberOf(each.value))),
    );
    box.append(line);
  }
  if (sorted.length > LINES_MAX) box.append(element('div', classes.name, `and ${sorted.length - LINES_MAX} more`));
  return box;
}
