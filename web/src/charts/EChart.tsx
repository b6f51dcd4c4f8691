// A canvas that ECharts draws on. This file and the library come in a chunk of their own, with the first chart.
import { BarChart, LineChart, PieChart, SankeyChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { type EChartsCoreOption, type EChartsType, init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { drawInTurn } from './draw-in-turn.ts';

use([BarChart, LineChart, PieChart, SankeyChart, GridComponent, LegendComponent, TooltipComponent, CanvasRenderer]);

export interface ChartClick {
  seriesIndex: number;
  dataIndex: number;
  name: string;
}

export interface EChartProps {
  option: EChartsCoreOption;
  /** What the chart shows, for those who do not see it. */
  label: string;
  onClick?: ((click: ChartClick) => void) | undefined;
  /** Told where a picture of the chart can be had. */
  onReady?: ((toPicture: () => string) => void) | undefined;
  /** Somebody is waiting for this one: it is drawn at once. */
  isPointedAt?: boolean | undefined;
  /** Clicked before it was there. */
  click?: { clientX: number; clientY: number } | undefined;
}

export default function EChart({ option, label, onClick, onReady, isPointedAt, click }: EChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(undefined);
  const clicked = useRef(onClick);
  clicked.current = onClick;
  const ready = useRef(onReady);
  ready.current = onReady;

  const wanted = useRef(option);
  wanted.current = option;

  // Those that stand still until they are pointed at are decided on once.
  const early = useRef({ isPointedAt, click });

  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => fit(element, chart.current));
    element.ariaBusy = 'true';
    const draw = () => {
      const made = init(element, undefined, { renderer: 'canvas' });
      made.setOption(wanted.current);
      made.on('click', (event) => {
        const { seriesIndex = 0, dataIndex = 0, name = '' } = event as unknown as Partial<ChartClick>;
        clicked.current?.({ seriesIndex, dataIndex, name });
      });
      ready.current?.(() => made.getDataURL({ pixelRatio: 2, backgroundColor: groundOf(document.body) }));
      observer.observe(element);
      chart.current = made;
      element.ariaBusy = 'false';
      if (early.current.click) clickAgain(made, element, early.current.click);
    };
    const giveUp = early.current.isPointedAt ? draw() : drawInTurn(draw);
    return () => {
      giveUp?.();
      observer.disconnect();
      chart.current?.dispose();
      chart.current = undefined;
    };
  }, []);

  useEffect(() => {
    chart.current?.setOption(option, { notMerge: true });
  }, [option]);

  return <div ref={place} role="img" aria-label={label} style={{ width: '100%', height: '100%', minHeight: 120 }} />;
}

/** A picture has the ground that its letters were made for. */
const groundOf = (element: HTMLElement) => getComputedStyle(element).backgroundColor;

/** Observers tell of the first size, too, which the chart was drawn in. */
function fit({ clientWidth, clientHeight }: HTMLElement, chart: EChartsType | undefined): void {
  if (chart && (chart.getWidth() !== clientWidth || chart.getHeight() !== clientHeight)) chart.resize();
}

/** The library's own way in: events of the browser tell it of a click only when it has seen the button go down. */
function clickAgain(
  chart: EChartsType,
  element: HTMLElement,
  { clientX, clientY }: { clientX: number; clientY: number },
) {
  const { left, top } = element.getBoundingClientRect();
  const event = { type: 'click', zrX: clientX - left, zrY: clientY - top, event: new MouseEvent('click') };
  const { handler } = chart.getZr();
  for (const name of ['mousemove', 'mousedown', 'mouseup', 'click'] as const) handler.dispatch(name, event as never);
}
