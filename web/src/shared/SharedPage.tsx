import { Anchor, Container, Paper, Text, Title, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../api/client.ts';
import type { Dashboard, Tile } from '../api/use-dashboards.ts';
import type { Insight } from '../api/use-insights.ts';
import { InsightResult } from '../charts/InsightResult.tsx';
import { placeTiles } from '../pages/dashboards/layout.ts';
import { insightName } from '../query/insight-name.ts';
import { sourceOf } from '../query/nodes.ts';
import { formatAge } from '../ui/format.ts';
import { Panel, Waiting } from '../ui/Panel.tsx';
import { Prose } from '../ui/Prose.tsx';
import { useSeen } from '../ui/use-seen.ts';
import classes from './SharedPage.module.css';

interface Shared {
  type: 'scene' | 'embed' | 'unlock';
  dashboard?: Dashboard;
  insight?: Insight;
  noHeader?: true;
  whitelabel?: true;
  theme?: 'light' | 'dark' | 'system';
}

/** What nobody has asked for lately is computed while we wait. */
const LOOK_AGAIN_MS = 1_500;
const LOOKS_MAX = 60;

const isWaiting = ({ dashboard, insight }: Shared) =>
  [...(dashboard?.tiles ?? []).map((tile) => tile.insight), insight].some(
    (each) => each != null && each.query !== null && each.result === null,
  );

export function SharedPage() {
  const { pathname, search } = window.location;
  const shared = useQuery({
    queryKey: ['shared'],
    queryFn: () => api.get<Shared>(`${pathname.replace(/\/$/, '')}.json${search}`),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data && isWaiting(data) && dataUpdateCount < LOOKS_MAX ? LOOK_AGAIN_MS : false,
  });
  return (
    <Container component="main" size={1400} py="md">
      <Panel query={shared}>{(found) => <SharedThing shared={found} />}</Panel>
    </Container>
  );
}

function SharedThing({ shared }: { shared: Shared }) {
  const { dashboard, insight, noHeader, whitelabel, theme } = shared;
  const { setColorScheme } = useMantineColorScheme();
  const name = dashboard ? dashboard.name || 'Untitled' : insight ? insightName(insight) : 'Untitled';
  useEffect(() => {
    document.title = name;
  }, [name]);
  useEffect(() => {
    if (theme === 'light' || theme === 'dark') setColorScheme(theme);
  }, [theme, setColorScheme]);
  return (
    <>
      {!noHeader && (
        <header className={classes.header}>
          <Title order={1} size="h2" className="breakable">
            {name}
          </Title>
          <Text c="dimmed" className="breakable">
            {dashboard?.description ?? insight?.description}
          </Text>
        </header>
      )}
      {dashboard && <Tiles tiles={dashboard.tiles} />}
      {insight && (
        <Paper withBorder p="md" className={classes.alone}>
          <Answer insight={insight} />
        </Paper>
      )}
      {!whitelabel && (
        <Text size="sm" c="dimmed" mt="md" component="footer">
          Made with <Anchor href="/">Tenrec</Anchor>
        </Text>
      )}
    </>
  );
}

function Tiles({ tiles }: { tiles: readonly Tile[] }) {
  if (tiles.length === 0) return <Text c="dimmed">There is nothing on it yet.</Text>;
  const places = new Map(placeTiles(tiles).map((place) => [place.i, place]));
  return (
    <div className={classes.grid}>
      {tiles.map((tile) => {
        const { x = 0, y = 0, w = 6, h = 5 } = places.get(String(tile.id)) ?? {};
        return (
          <Paper
            key={tile.id}
            withBorder
            p="sm"
            component="article"
            className={classes.tile}
            style={{ '--x': x + 1, '--y': y + 1, '--w': w, '--h': h } as React.CSSProperties}
          >
            {tile.text ? (
              <Prose text={tile.text.body ?? ''} />
            ) : (
              tile.insight && (
                <>
                  <Title order={2} size="h5" className="breakable">
                    {insightName(tile.insight)}
                  </Title>
                  <Answer insight={tile.insight} />
                </>
              )
            )}
          </Paper>
        );
      })}
    </div>
  );
}

function Answer({ insight }: { insight: Insight }) {
  const { query, result, columns, types, hasMore, last_refresh } = insight;
  const { ref, wasSeen } = useSeen();
  if (query === null) return <Text c="dimmed">This has not been computed yet.</Text>;
  if (result === null) return <Waiting />;
  return (
    <>
      <div ref={ref} className={classes.chart}>
        {wasSeen && (
          <InsightResult
            name={insightName(insight)}
            query={sourceOf(query)}
            answer={{ results: result, columns, types, hasMore }}
            isSmall
          />
        )}
      </div>
      {last_refresh && (
        <Text size="xs" c="dimmed">
          {formatAge(last_refresh)}
        </Text>
      )}
    </>
  );
}
