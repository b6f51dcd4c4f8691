// Rows of a SQL answer, however many: only those in sight are drawn, between two empty rows that stand for the others.
import { Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { QueryAnswer } from '../query/results.ts';
import { formatNumber } from '../ui/format.ts';
import classes from './RowsTable.module.css';

const ROW_PX = 32;
const AHEAD = 12;
const CELL_MAX = 300;

export const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

export function RowsTable({ answer }: { answer: QueryAnswer }) {
  const rows = answer.results as unknown[][];
  const columns = answer.columns ?? (rows[0] ?? []).map((_, index) => `column ${index + 1}`);
  const place = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => ROW_PX,
    overscan: AHEAD,
  });
  const shown = virtual.getVirtualItems();
  const above = shown[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard */}
      <section ref={place} className={classes.scroll} tabIndex={0} aria-label="Rows of the answer">
        <table className={classes.table} aria-rowcount={rows.length + 1}>
          <thead>
            <tr>
              {columns.map((column, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
                <th key={index} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {above > 0 && <tr aria-hidden style={{ height: above }} />}
            {shown.map(({ index }) => (
              <tr key={index} aria-rowindex={index + 2} data-odd={index % 2 === 1 || undefined}>
                {(rows[index] ?? []).map((value, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
                  <td key={column} title={cellText(value).slice(0, 2_000)}>
                    {cellText(value).slice(0, CELL_MAX)}
                  </td>
                ))}
              </tr>
            ))}
            {below > 0 && <tr aria-hidden style={{ height: below }} />}
          </tbody>
        </table>
      </section>
      <Text size="xs" c="dimmed" pt={4}>
        {formatNumber(rows.length)} rows{answer.hasMore ? ', and there are more: raise LIMIT to see them' : ''}
      </Text>
    </div>
  );
}
