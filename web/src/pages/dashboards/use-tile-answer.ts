import { useQuery } from '@tanstack/react-query';
import type { Tile } from '../../api/use-dashboards.ts';
import { useProjectId } from '../../api/use-project.ts';
import { answerQuery } from '../../api/use-query.ts';
import type { QueryNode } from '../../query/nodes.ts';
import type { QueryAnswer } from '../../query/results.ts';

const NOTHING: QueryNode = { kind: '' };

/** What came with the dashboard, if anything did; otherwise it is asked once the tile is in sight. */
export function useTileAnswer({ insight }: Tile, isInSight: boolean) {
  const projectId = useProjectId();
  const node = insight?.query ?? NOTHING;
  const cached = insight && insight.result !== null ? toAnswer(insight) : undefined;
  const { placeholderData: _none, ...options } = answerQuery(projectId, node);
  return useQuery({
    ...options,
    enabled: isInSight && insight?.query != null,
    ...(cached && { initialData: cached, initialDataUpdatedAt: Date.parse(cached.last_refresh ?? '') || 0 }),
    // The server decides what is old; it says so by not giving it.
    staleTime: cached ? Number.POSITIVE_INFINITY : options.staleTime,
  });
}

const toAnswer = ({
  result,
  columns,
  types,
  hasMore,
  last_refresh,
  is_cached,
  timezone,
}: NonNullable<Tile['insight']>): QueryAnswer => ({
  results: result,
  columns,
  types,
  hasMore,
  last_refresh,
  is_cached,
  timezone,
});
