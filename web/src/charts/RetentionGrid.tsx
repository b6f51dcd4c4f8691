// Who came back: a row for each beginning, a column for each interval after it.
import { Table, UnstyledButton } from '@mantine/core';
import type { ChartPoint } from '../api/use-query.ts';
import { breakdownText, type RetentionRow } from '../query/results.ts';
import { formatDate, formatMoment, formatNumber, formatShare } from '../ui/format.ts';
import { Scroll } from '../ui/Scroll.tsx';
import { depthColor } from './colors.ts';
import classes from './RetentionGrid.module.css';

interface RetentionGridProps {
  rows: readonly RetentionRow[];
  period: string;
  onPoint?: ((point: ChartPoint) => void) | undefined;
}

export function RetentionGrid({ rows, period, onPoint }: RetentionGridProps) {
  const columns = rows[0]?.values ?? [];
  // The text is the project's own time already; only its words are for the reader.
  const format = (date: string) => (period === 'Hour' ? formatMoment : formatDate)(`${date.slice(0, 19)}Z`, 'UTC');
  return (
    <Scroll label="Retention">
      <Table verticalSpacing={4} horizontalSpacing={6} fz="xs" withRowBorders={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Began</Table.Th>
            <Table.Th ta="right">People</Table.Th>
            {columns.map((_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its number
              <Table.Th key={index} ta="center">{`${period} ${index}`}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, rowIndex) => (
            <Table.Tr key={`${row.date} ${String(row.breakdown_value)}`}>
              <Table.Td className={classes.began}>
                {row.breakdown_value === undefined ? '' : `${breakdownText(row.breakdown_value)}: `}
                {format(row.date)}
              </Table.Td>
              <Table.Td ta="right">{formatNumber(row.values[0]?.count ?? 0)}</Table.Td>
              {row.values.map(({ count }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its number
                <Table.Td key={index} p={0}>
                  <Cell
                    count={count}
                    size={row.values[0]?.count ?? 0}
                    onClick={onPoint && (() => onPoint({ title: `began ${format(row.date)}`, interval: rowIndex }))}
                  />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scroll>
  );
}

function Cell({ count, size, onClick }: { count: number; size: number; onClick?: (() => void) | undefined }) {
  const share = size === 0 ? 0 : count / size;
  const text = size === 0 ? '–' : formatShare(share);
  return (
    <UnstyledButton
      className={classes.cell}
      disabled={!onClick}
      onClick={onClick}
      style={{ background: depthColor(share) }}
      title={formatNumber(count)}
    >
      {text}
    </UnstyledButton>
  );
}
