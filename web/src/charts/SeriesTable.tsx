// The numbers of a chart: one row a series, one column a point in time.
import { Button, Table, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { ChartPoint } from '../api/use-query.ts';
import { seriesLabel, type TrendItem, totalOf } from '../query/results.ts';
import { formatNumber } from '../ui/format.ts';
import { Scroll } from '../ui/Scroll.tsx';
import { pointLabels } from './point-labels.ts';

/** More rows than this, each with a number for every day, make a page slow; they come when they are asked for. */
const ROWS_AT_FIRST = 100;

interface SeriesTableProps {
  items: readonly TrendItem[];
  withPoints?: boolean;
  onPoint?: ((point: ChartPoint) => void) | undefined;
}

export function SeriesTable({ items, withPoints = false, onPoint }: SeriesTableProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, ROWS_AT_FIRST);
  const longest = withPoints ? items.find(({ data }) => data && data.length > 0) : undefined;
  const labels = longest ? pointLabels(longest) : [];
  return (
    <Scroll label="Table of the numbers">
      <Table striped highlightOnHover stickyHeader verticalSpacing={6} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th miw={160}>Series</Table.Th>
            <Table.Th ta="right">Total</Table.Th>
            {labels.map((label) => (
              <Table.Th key={label} ta="right" miw={90}>
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: series have no other name of their own
            <Table.Tr key={index}>
              <Table.Td className="breakable">{seriesLabel(item)}</Table.Td>
              <Table.Td ta="right" fw={600}>
                {formatNumber(totalOf(item))}
              </Table.Td>
              {labels.map((label, at) => (
                <Table.Td key={label} ta="right">
                  {onPoint ? (
                    <UnstyledButton
                      fz="sm"
                      onClick={() => onPoint(pointAt(item, at, label))}
                      title={`Who: ${seriesLabel(item)}, ${label}`}
                    >
                      {formatNumber(item.data?.[at] ?? 0)}
                    </UnstyledButton>
                  ) : (
                    formatNumber(item.data?.[at] ?? 0)
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {shown.length < items.length && (
        <Button variant="subtle" size="compact-sm" m="xs" onClick={() => setWhole(true)}>
          Show the other {formatNumber(items.length - shown.length)}
        </Button>
      )}
    </Scroll>
  );
}

function pointAt(item: TrendItem, at: number, label: string): ChartPoint {
  return {
    title: `${seriesLabel(item)}, ${label}`,
    day: item.days?.[at],
    series: item.action?.order ?? 0,
    ...(item.breakdown_value !== undefined && { breakdown: item.breakdown_value }),
    ...(item.compare_label && { compare: item.compare_label }),
    ...(item.status && { status: item.status }),
  };
}
