// A funnel: how far people came, step by step, with those who left on the way.
import { Badge, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import type { ChartPoint } from '../api/use-query.ts';
import { breakdownText, type FunnelStep } from '../query/results.ts';
import { formatDuration, formatNumber, formatShare } from '../ui/format.ts';
import { Scroll } from '../ui/Scroll.tsx';
import { colorAt } from './colors.ts';
import classes from './FunnelBars.module.css';

interface FunnelBarsProps {
  funnels: readonly FunnelStep[][];
  isSmall?: boolean | undefined;
  onPoint?: ((point: ChartPoint) => void) | undefined;
}

export function FunnelBars({ funnels, isSmall, onPoint }: FunnelBarsProps) {
  const steps = funnels[0] ?? [];
  return (
    <Scroll label="Funnel">
      <Stack gap={isSmall ? 'xs' : 'md'}>
        {steps.map((step, index) => (
          <div key={step.order}>
            <Group gap="xs" mb={4} wrap="nowrap">
              <Badge variant="default" circle>
                {index + 1}
              </Badge>
              <Text size="sm" fw={600} className="breakable">
                {step.custom_name || step.name}
              </Text>
            </Group>
            {funnels.map((funnel, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: funnels of a breakdown have no other name of their own
              <FunnelBar key={at} funnel={funnel} index={index} color={colorAt(at)} onPoint={onPoint} />
            ))}
          </div>
        ))}
      </Stack>
    </Scroll>
  );
}

interface FunnelBarProps {
  funnel: readonly FunnelStep[];
  index: number;
  color: string;
  onPoint?: ((point: ChartPoint) => void) | undefined;
}

function FunnelBar({ funnel, index, color, onPoint }: FunnelBarProps) {
  const step = funnel[index];
  if (!step) return null;
  const first = funnel[0]?.count ?? 0;
  const before = index === 0 ? first : (funnel[index - 1]?.count ?? 0);
  const share = first === 0 ? 0 : step.count / first;
  const name = step.breakdown_value === undefined ? undefined : breakdownText(step.breakdown_value);
  const lost = before - step.count;
  const who = (funnelStep: number, verb: string) =>
    onPoint?.({
      title: `${verb} ${step.custom_name || step.name}${name ? `, ${name}` : ''}`,
      funnelStep,
      ...(step.breakdown_value !== undefined && { funnelStepBreakdown: step.breakdown_value }),
    });
  return (
    <div className={classes.row}>
      <div className={classes.track} aria-hidden>
        <div className={classes.bar} style={{ width: `${share * 100}%`, background: color }} />
      </div>
      <Group gap="xs" className={classes.words}>
        {name && (
          <Text size="xs" fw={600} className="breakable">
            {name}
          </Text>
        )}
        <UnstyledButton disabled={!onPoint} onClick={() => who(index + 1, 'Reached')}>
          <Text size="xs">
            {formatNumber(step.count)} ({formatShare(share)})
          </Text>
        </UnstyledButton>
        {index > 0 && lost > 0 && (
          <UnstyledButton disabled={!onPoint} onClick={() => who(-(index + 1), 'Left before')}>
            <Text size="xs" c="dimmed">
              {formatNumber(lost)} left ({formatShare(before === 0 ? 0 : lost / before)})
            </Text>
          </UnstyledButton>
        )}
        {step.median_conversion_time !== null && step.median_conversion_time !== undefined && (
          <Text size="xs" c="dimmed">
            half within {formatDuration(step.median_conversion_time)}
          </Text>
        )}
      </Group>
    </div>
  );
}
