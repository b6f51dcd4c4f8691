import { Center, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import type { ChartPoint } from '../api/use-query.ts';
import { seriesLabel, type TrendItem, totalOf } from '../query/results.ts';
import { formatNumber, formatShare } from '../ui/format.ts';

/** One number, and how it stands against the time before. */
export function BoldNumber({
  items,
  onPoint,
}: {
  items: readonly TrendItem[];
  onPoint?: ((point: ChartPoint) => void) | undefined;
}) {
  const [now] = items;
  if (!now) return null;
  const before = items.find(({ compare_label }) => compare_label === 'previous');
  const change = before && totalOf(before) !== 0 ? totalOf(now) / totalOf(before) - 1 : undefined;
  const label = seriesLabel(now);
  return (
    <Center h="100%">
      <Stack gap={0} align="center">
        <UnstyledButton disabled={!onPoint} onClick={() => onPoint?.({ title: label, series: now.action?.order ?? 0 })}>
          <Text fz={56} fw={700} lh={1.1} ta="center">
            {formatNumber(totalOf(now))}
          </Text>
        </UnstyledButton>
        <Text size="sm" c="dimmed" ta="center" className="breakable">
          {label}
        </Text>
        {before && (
          <Group gap={6} mt={4}>
            <Text size="sm" fw={600}>
              {change === undefined ? '' : `${change >= 0 ? '▲' : '▼'} ${formatShare(Math.abs(change))}`}
            </Text>
            <Text size="sm" c="dimmed">
              {formatNumber(totalOf(before))} before
            </Text>
          </Group>
        )}
      </Stack>
    </Center>
  );
}
