import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { EChartProps } from './EChart.tsx';

const EChart = lazy(() => import('./EChart.tsx'));

export function Chart(props: EChartProps) {
  return (
    <Suspense fallback={<Skeleton height="100%" mih={120} />}>
      <EChart {...props} />
    </Suspense>
  );
}
