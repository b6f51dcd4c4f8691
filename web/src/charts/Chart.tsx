import { Skeleton } from '@mantine/core';
import { type ComponentType, lazy, Suspense, useState } from 'react';
import type { EChartProps } from './EChart.tsx';

let Loaded: ComponentType<EChartProps> | undefined;

async function load() {
  const loaded = await import('./EChart.tsx');
  Loaded = loaded.default;
  return loaded;
}

const EChart = lazy(load);

/** For a page that is going to show charts: its first one need not wait for the library. A failure is told by the chart. */
export const loadCharts = () => void load().catch(() => {});

export function Chart(props: EChartProps) {
  // Decided once: a chart that was drawn stays where it is.
  const [Ready] = useState(() => Loaded);
  if (Ready) return <Ready {...props} />;
  return (
    <Suspense fallback={<Skeleton height="100%" mih={120} aria-busy="true" />}>
      <EChart {...props} />
    </Suspense>
  );
}
