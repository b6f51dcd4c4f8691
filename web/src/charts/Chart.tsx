// A chart, drawn by the least that can draw it. On a dashboard that is a few lines of SVG; the chart library takes the
// place over when somebody points at it, for what it says under the pointer and whom it names on a click.
import { Skeleton } from '@mantine/core';
import {
  type ComponentType,
  lazy,
  type MouseEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
  useState,
} from 'react';
import type { EChartProps } from './EChart.tsx';
import { LightChart } from './light/LightChart.tsx';
import type { Plot } from './light/plot.ts';

let Loaded: ComponentType<EChartProps> | undefined;

async function load() {
  const loaded = await import('./EChart.tsx');
  Loaded = loaded.default;
  return loaded;
}

const EChart = lazy(load);

/** For a page that is going to show charts: the library comes when nothing else is to be done. A failure is told by the chart. */
const loadSoon = () => void load().catch(() => {});

interface ChartProps extends Omit<EChartProps, 'option'> {
  /** What the library draws; asked for when it does. */
  toOption: () => EChartProps['option'];
  /** The same as marks, where the library is not needed to draw it. */
  plot?: Plot | undefined;
}

export function Chart({ plot, ...props }: ChartProps) {
  const [isPointedAt, setPointedAt] = useState(false);
  const [click, setClick] = useState<MouseEvent>();
  useEffect(() => {
    if (!Loaded) whenIdle(loadSoon);
  }, []);
  if (!plot) return <LibraryChart {...props} fallback={<Skeleton height="100%" mih={120} aria-busy="true" />} />;
  const light = <LightChart plot={plot} label={props.label} onPointed={() => setPointedAt(true)} onClick={setClick} />;
  if (!isPointedAt) return light;
  return <LibraryChart {...props} fallback={light} isPointedAt click={click} />;
}

function LibraryChart({ fallback, toOption, ...rest }: ChartProps & { fallback: ReactNode }) {
  const props = { ...rest, option: useMemo(toOption, [toOption]) };
  // Decided once: a chart that was drawn stays where it is.
  const [Ready] = useState(() => Loaded);
  if (Ready) return <Ready {...props} />;
  return (
    <Suspense fallback={fallback}>
      <EChart {...props} />
    </Suspense>
  );
}

/** Not every browser tells when it is idle. */
function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act);
  else setTimeout(act, 1_000);
}
