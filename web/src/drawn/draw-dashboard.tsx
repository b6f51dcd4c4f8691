// A dashboard as markup, made by the server from the same answers that the app is going to ask for. It is what people
// see and can follow links in while the app is on its way; the app then takes its place (`api/ahead.ts`).
// The policy of the pages forbids styles in markup, so places on the grid are rules of a style sheet.
import { renderToStaticMarkup } from 'react-dom/server';
import type { Dashboard } from '../api/use-dashboards.ts';
import type { Insight } from '../api/use-insights.ts';
import type { Me } from '../api/use-me.ts';
import { LightChart } from '../charts/light/LightChart.tsx';
import lightChartStyle from '../charts/light/light-chart.css?inline';
import { funnelTrendsPlot, lifecyclePlot, type Plot, trendPlot } from '../charts/light/plot.ts';
import { type Placed, placeTiles } from '../pages/dashboards/layout.ts';
import { insightName } from '../query/insight-name.ts';
import { type InsightQuery, sourceOf } from '../query/nodes.ts';
import { seriesLabel, type TrendItem, totalOf } from '../query/results.ts';
import { destinations } from '../shell/navigation.ts';
import { formatNumber } from '../ui/format.ts';
import drawnStyle from './drawn.css?inline';

/** More than most screens show; the rest have their frame and name. */
const CHARTS_MAX = 12;

export interface Drawing {
  projectId: number;
  me: Me;
  dashboard: Dashboard;
  /** The reader's language, as their browser names it. */
  locale: string | undefined;
}

export const drawDashboard = (drawing: Drawing) => ({
  markup: renderToStaticMarkup(<DrawnDashboard {...drawing} />),
  style: drawnStyle + lightChartStyle + placeTiles(drawing.dashboard.tiles).map(toRule).join(''),
});

const toRule = ({ i, x, y, w, h }: Placed) => `#drawn-${Number(i)}{grid-area:${y + 1}/${x + 1}/span ${h}/span ${w}}`;

function DrawnDashboard({ projectId, me, dashboard, locale }: Drawing) {
  const home = `/project/${projectId}`;
  const project = me.organization?.teams.find(({ id }) => id === projectId) ?? me.team;
  return (
    <div id="drawn" className="drawn-page" aria-busy="true">
      <header className="drawn-header">
        <a href="/" aria-label="Tenrec, to the start">
          <img src={`${import.meta.env.BASE_URL}mark.svg`} alt="" width={28} height={28} />
          <b>Tenrec</b>
        </a>
        <span>{project?.name}</span>
      </header>
      <nav className="drawn-navigation" aria-label="Main">
        {destinations.map(({ label, path, icon: Icon }) => (
          <a key={path} href={home + path} className={path === '/dashboards' ? 'drawn-here' : undefined}>
            <Icon size={18} stroke={1.75} />
            {label}
          </a>
        ))}
      </nav>
      <main className="drawn-main">
        <h1 className="drawn-title" dir="auto">
          {dashboard.name || 'Untitled'}
        </h1>
        <div className="drawn-grid">
          {dashboard.tiles.map(({ id, insight, text }, index) => (
            <article key={id} id={`drawn-${id}`} className="drawn-tile">
              {insight && (
                <>
                  <a href={`${home}/insights/${insight.id}`} className="drawn-name">
                    {insightName(insight)}
                  </a>
                  <div className="drawn-chart">
                    {index < CHARTS_MAX && <DrawnAnswer insight={insight} locale={locale} />}
                  </div>
                </>
              )}
              {/* As it was typed; the app sets headings and lists. */}
              {text && <p className="drawn-text">{text.body}</p>}
            </article>
          ))}
        </div>
      </main>
    </div>
  );
}

/** What takes more than marks and numbers is left to the app. */
function DrawnAnswer({ insight, locale }: { insight: Insight; locale: string | undefined }) {
  if (insight.query === null || !Array.isArray(insight.result) || insight.result.length === 0) return null;
  const query = sourceOf(insight.query);
  const items = insight.result as TrendItem[];
  if (query.kind === 'TrendsQuery' && query.trendsFilter?.display === 'BoldNumber') {
    return <DrawnNumber item={items[0] as TrendItem} locale={locale} />;
  }
  const plot = plotOf(query, items, locale);
  return plot ? <LightChart plot={plot} label={`Chart: ${insightName(insight)}`} /> : null;
}

function plotOf(query: InsightQuery, items: readonly TrendItem[], locale: string | undefined): Plot | undefined {
  switch (query.kind) {
    case 'TrendsQuery':
    case 'StickinessQuery':
      return trendPlot(items, query, locale);
    case 'LifecycleQuery':
      return lifecyclePlot(items, locale);
    case 'FunnelsQuery':
      return query.funnelsFilter?.funnelVizType === 'trends' ? funnelTrendsPlot(items, query, locale) : undefined;
    default:
      return undefined;
  }
}

const DrawnNumber = ({ item, locale }: { item: TrendItem; locale: string | undefined }) => (
  <div className="drawn-number">
    <b>{formatNumber(totalOf(item), locale)}</b>
    <span>{seriesLabel(item)}</span>
  </div>
);
