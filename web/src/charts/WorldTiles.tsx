import { Group, Text, Tooltip } from '@mantine/core';
import { useMemo } from 'react';
import { breakdownText, type TrendItem, totalOf } from '../query/results.ts';
import { formatNumber } from '../ui/format.ts';
import { depthColor } from './colors.ts';
import classes from './WorldTiles.module.css';
import { COLUMNS, worldGrid } from './world-grid.ts';

/** Broken down by country code: the deeper the colour, the more. */
export function WorldTiles({ items }: { items: readonly TrendItem[] }) {
  const values = new Map(items.map((item) => [breakdownText(item.breakdown_value).toUpperCase(), totalOf(item)]));
  const max = Math.max(1, ...values.values());
  const names = useMemo(() => new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' }), []);
  const known = new Set(worldGrid.map(({ code }) => code));
  const elsewhere = [...values].filter(([code]) => !known.has(code));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
    <section className={classes.frame} tabIndex={0} aria-label="Map">
      <div
        className={classes.grid}
        role="img"
        aria-label={`Map: ${[...values].map(([code, value]) => `${code} ${value}`).join(', ')}`}
        style={{ gridTemplateColumns: `repeat(${COLUMNS}, minmax(0, 1fr))` }}
      >
        {worldGrid.map(({ code, row, column }) => {
          const value = values.get(code);
          return (
            <Tooltip key={code} label={`${names.of(code)}: ${formatNumber(value ?? 0)}`}>
              <div
                className={classes.square}
                style={{
                  gridRow: row + 1,
                  gridColumn: column + 1,
                  ...(value !== undefined && { background: depthColor(0.25 + 0.75 * (value / max)) }),
                }}
              >
                {code}
              </div>
            </Tooltip>
          );
        })}
      </div>
      {elsewhere.length > 0 && (
        <Group gap="xs" mt="xs">
          {elsewhere.map(([code, value]) => (
            <Text key={code} size="xs" c="dimmed" className="breakable">
              {code}: {formatNumber(value)}
            </Text>
          ))}
        </Group>
      )}
    </section>
  );
}
