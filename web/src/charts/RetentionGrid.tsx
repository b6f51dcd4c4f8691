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
  /** What a share is a share of: those who began, or those of the column before. */
  reference?: 'total' | 'previous' | undefined;
  onPoint?: ((point: ChartPoint) => void) | undefined;
}

export function RetentionGrid({ rows, period, reference = 'total', onPoint }: RetentionGridProps) {
  const amounts = rows.flatMap(({ values }) => values.map(({ aggregation_value = 0 }) => aggregation_value));
  const amountMax = Math.max(0, ...amounts);
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
              {row.values.map(({ count, aggregation_value: amount }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its number
                <Table.Td key={index} p={0}>
                  <Cell
                    {...(amount === undefined ? shareCell(row, index, reference) : amountCell(amount, amountMax))}
                    count={count}
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

/** What a cell says, and how deep its colour is, 0 to 1. */
interface CellContent {
  text: string;
  depth: number;
}

function shareCell({ values }: RetentionRow, index: number, reference: 'total' | 'previous'): CellContent {
  const size = values[reference === 'total' ? 0 : Math.max(0, index - 1)]?.count ?? 0;
  const share = size === 0 ? 0 : (values[index]?.count ?? 0) / size;
  return { text: size === 0 ? '–' : formatShare(share), depth: Math.min(1, share) };
}

const amountCell = (amount: number, max: number): CellContent => ({
  text: formatNumber(amount),
  depth: max === 0 ? 0 : Math.max(0, amount / max),
});

function Cell({ text, depth, count, onClick }: CellContent & { count: number; onClick?: (() => void) | undefined }) {
  return (
    <UnstyledButton
      className={classes.cell}
      disabled={!onClick}
      onClick={onClick}
      style={{ background: depthColor(depth) }}
      title={formatNumber(count)}
    >
      {text}
    </UnstyledButton>
  );
}
