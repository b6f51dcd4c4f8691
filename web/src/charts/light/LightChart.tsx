// A chart of marks and letters that fits any size by itself: nothing here asks how large it is, so it can be part of a
// page before there is a screen. What is placed is placed by attributes, as the policy of the pages forbids styles in markup.
import type { MouseEvent, ReactNode } from 'react';
import './light-chart.css';
import { areaPath, bandX, barPath, dotPath, linePath, TOP, toY } from './paths.ts';
import type { Plot, PlotSeries } from './plot.ts';

const LABELS_MAX = 6;
const DOTS_MAX = 60;
const LEGEND_MAX = 8;
const FADED = 0.45;

interface LightChartProps {
  plot: Plot;
  /** What the chart shows, for those who do not see it. */
  label: string;
  /** Somebody points at it, or is about to. */
  onPointed?: (() => void) | undefined;
  onClick?: ((event: MouseEvent) => void) | undefined;
}

export function LightChart({ plot, label, onPointed, onClick }: LightChartProps) {
  const { points, ticks, series } = plot;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: who uses no mouse finds the same in the table of the insight
    <div
      role="img"
      aria-label={label}
      aria-busy="false"
      className="light-chart"
      onPointerEnter={onPointed}
      onClick={onClick}
    >
      <div className="light-values">
        {ticks.toReversed().map(({ value, text }) => (
          <span key={value}>{text}</span>
        ))}
      </div>
      <svg
        className="light-marks"
        viewBox={`0 0 ${bandX(points.length)} ${TOP}`}
        preserveAspectRatio="none"
        aria-hidden
      >
        <path
          className="light-grid"
          d={ticks.map(({ value }) => `M0,${toY(plot, value)}H${bandX(points.length)}`).join('')}
        />
        {series.map((each) => (
          <Marks key={each.name} plot={plot} series={each} />
        ))}
      </svg>
      <svg className="light-points" aria-hidden>
        {labelledPoints(points).map(({ text, share }) => (
          <text key={share} x={`${share}%`} y="12" textAnchor="middle">
            {text}
          </text>
        ))}
      </svg>
      {series.length > 1 && <Legend series={series} />}
    </div>
  );
}

/** As many as there is room for on a narrow tile, the same number of points apart. */
function labelledPoints(points: readonly string[]) {
  const step = Math.ceil(points.length / LABELS_MAX);
  return points.flatMap((text, index) =>
    index % step === 0 ? [{ text, share: Number((((index + 0.5) / points.length) * 100).toFixed(2)) }] : [],
  );
}

function Marks({ plot, series }: { plot: Plot; series: PlotSeries }): ReactNode {
  const { shape, color, isFaded, tops } = series;
  const opacity = isFaded ? FADED : undefined;
  if (shape === 'bar') return <path d={barPath(plot, series)} fill={color} opacity={opacity} />;
  return (
    <g opacity={opacity}>
      {shape === 'area' && <path d={areaPath(plot, series)} fill={color} opacity="0.35" />}
      <path
        className="light-line"
        d={linePath(plot, series)}
        stroke={color}
        {...(isFaded && { strokeDasharray: '4 4' })}
      />
      {tops.length <= DOTS_MAX && <path className="light-dots" d={dotPath(plot, series)} stroke={color} />}
    </g>
  );
}

function Legend({ series }: { series: readonly PlotSeries[] }) {
  return (
    <div className="light-legend">
      {series.slice(0, LEGEND_MAX).map(({ name, color }) => (
        <span key={name}>
          <svg width="10" height="10" aria-hidden>
            <circle cx="5" cy="5" r="5" fill={color} />
          </svg>
          {name}
        </span>
      ))}
      {series.length > LEGEND_MAX && <span>and {series.length - LEGEND_MAX} more</span>}
    </div>
  );
}
