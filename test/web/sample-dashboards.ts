import type { WebProject } from './web-app.ts';

/** A dashboard with so many tiles, each an insight over the sample events. */
export async function makeDashboard(project: WebProject, name: string, count: number): Promise<number> {
  const { id } = await project.send('POST', '/dashboards/', { name });
  for (let index = 0; index < count; index++) {
    await project.send('POST', '/insights/', {
      name: `${name} ${index}`,
      saved: true,
      dashboards: [id],
      query: {
        kind: 'InsightVizNode',
        source: {
          kind: 'TrendsQuery',
          series: [{ kind: 'EventsNode', event: index % 2 ? 'bought' : '$pageview', name: 'events', math: 'total' }],
          dateRange: { date_from: '-14d' },
          trendsFilter: { display: index % 3 ? 'ActionsLineGraph' : 'BoldNumber' },
        },
      },
    });
  }
  return id;
}
