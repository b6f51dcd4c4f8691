// One tile: a chart with its name and age, or a text.
import { ActionIcon, ColorSwatch, Group, Loader, Menu, Paper, Text } from '@mantine/core';
import { IconArrowRight, IconCopy, IconEdit, IconGripVertical, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Dashboard, Tile, TileLayout } from '../../api/use-dashboards.ts';
import { useProjectId } from '../../api/use-project.ts';
import { type ChartPoint, useRefreshAnswer } from '../../api/use-query.ts';
import { useTiles } from '../../api/use-tiles.ts';
import { TILE_COLORS } from '../../charts/colors.ts';
import { InsightResult } from '../../charts/InsightResult.tsx';
import { insightName } from '../../query/insight-name.ts';
import { type QueryNode, sourceOf } from '../../query/nodes.ts';
import type { QueryAnswer } from '../../query/results.ts';
import { formatAge } from '../../ui/format.ts';
import { LinkText } from '../../ui/links.tsx';
import { showError } from '../../ui/messages.tsx';
import { Failure, Waiting } from '../../ui/Panel.tsx';
import { Prose } from '../../ui/Prose.tsx';
import { RowMenu } from '../../ui/RowMenu.tsx';
import { useSeen } from '../../ui/use-seen.ts';
import { COLUMNS, placeTiles } from './layout.ts';
import classes from './TileCard.module.css';
import { useTileAnswer } from './use-tile-answer.ts';

const ActorsModal = lazy(() => import('../insights/ActorsModal.tsx'));

interface TileCardProps {
  dashboard: Dashboard;
  tile: Tile;
  canEdit: boolean;
  onMove: (tile: Tile) => void;
  onEditText: (tile: Tile) => void;
}

export function TileCard(props: TileCardProps) {
  const { tile } = props;
  const color = tile.color ? TILE_COLORS[tile.color] : undefined;
  return (
    <Paper
      withBorder
      className={classes.card}
      style={color && color !== 'transparent' ? { borderInlineStart: `4px solid ${color}` } : undefined}
    >
      {tile.text ? <TextTile {...props} /> : <InsightTile {...props} />}
    </Paper>
  );
}

function TextTile(props: TileCardProps) {
  const { tile, canEdit } = props;
  return (
    <>
      {canEdit && (
        <Group justify="space-between" wrap="nowrap" gap={4}>
          <Handle />
          <TileMenu {...props} name="Text" />
        </Group>
      )}
      <div className={classes.text}>
        <Prose text={tile.text?.body ?? ''} />
      </div>
    </>
  );
}

function InsightTile(props: TileCardProps) {
  const { tile, canEdit } = props;
  const { insight } = tile;
  const projectId = useProjectId();
  const { ref, wasSeen } = useSeen();
  const answer = useTileAnswer(tile, wasSeen);
  const refresh = useRefreshAnswer();
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [point, setPoint] = useState<ChartPoint>();
  if (!insight) return null;
  const name = insightName(insight);
  const query = insight.query;

  const refreshNow = async () => {
    if (!query) return;
    setBusy(true);
    await refresh(query).catch(showError);
    setBusy(false);
    void client.invalidateQueries({ queryKey: ['insight', projectId, insight.id] });
  };

  return (
    <div ref={ref} className={classes.insight}>
      <Group justify="space-between" wrap="nowrap" gap={4} mb={4}>
        <Group gap={4} wrap="nowrap" miw={0}>
          {canEdit && <Handle />}
          <LinkText
            to="/project/$projectId/insights/$insightId"
            params={{ projectId: String(projectId), insightId: String(insight.id) }}
            fw={600}
            size="sm"
            c="var(--mantine-color-text)"
            truncate
          >
            {name}
          </LinkText>
        </Group>
        {wasSeen && (
          <Group gap={2} wrap="nowrap">
            {answer.data?.last_refresh && (
              <Text size="xs" c="dimmed" className={classes.age}>
                {formatAge(answer.data.last_refresh)}
              </Text>
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={`Refresh ${name}`}
              title="Compute anew"
              onClick={() => void refreshNow()}
            >
              {isBusy || answer.isFetching ? <Loader size={14} /> : <IconRefresh size={14} />}
            </ActionIcon>
            {canEdit && <TileMenu {...props} name={name} />}
          </Group>
        )}
      </Group>
      {insight.description && (
        <Text size="xs" c="dimmed" lineClamp={1}>
          {insight.description}
        </Text>
      )}
      <div className={classes.chart}>
        {query === null ? (
          <Text size="sm" c="dimmed">
            This insight is kept in an older form, which the app does not draw. Open it to ask it anew.
          </Text>
        ) : answer.error && !answer.data ? (
          <Failure error={answer.error} retry={() => void answer.refetch()} />
        ) : (
          wasSeen && <TileAnswer name={name} query={query} answer={answer.data} onPoint={setPoint} />
        )}
      </div>
      {point && query && (
        <Suspense>
          <ActorsModal source={query.source ?? query} point={point} onClose={() => setPoint(undefined)} />
        </Suspense>
      )}
    </div>
  );
}

interface TileAnswerProps {
  name: string;
  query: QueryNode;
  answer: QueryAnswer | undefined;
  onPoint: (point: ChartPoint) => void;
}

const TileAnswer = ({ name, query, answer, onPoint }: TileAnswerProps) =>
  answer ? (
    <InsightResult name={name} query={sourceOf(query)} answer={answer} isSmall onPoint={onPoint} />
  ) : (
    <Waiting />
  );

const Handle = () => (
  <span className={`${classes.handle} tile-handle`} aria-hidden>
    <IconGripVertical size={14} />
  </span>
);

const TileMenu = (props: TileCardProps & { name: string }) => (
  <RowMenu label={`Actions for ${props.name}`} size="sm">
    <TileActions {...props} />
  </RowMenu>
);

function TileActions({ dashboard, tile, name, onMove, onEditText }: TileCardProps & { name: string }) {
  const tiles = useTiles(dashboard.id);
  return (
    <>
      {tile.text && (
        <Menu.Item leftSection={<IconEdit size={14} />} onClick={() => onEditText(tile)}>
          Edit text
        </Menu.Item>
      )}
      <Menu.Label>Colour</Menu.Label>
      <Group gap={6} px="sm" pb={6}>
        {Object.entries(TILE_COLORS).map(([color, shade]) => (
          <ColorSwatch
            key={color}
            component="button"
            type="button"
            color={shade}
            size={20}
            withShadow
            aria-label={`Colour: ${color}`}
            aria-pressed={tile.color === color}
            onClick={() => tiles.change.mutate([{ id: tile.id, color: color === 'white' ? null : color }])}
          />
        ))}
      </Group>
      <Menu.Divider />
      <PlaceItems dashboard={dashboard} tile={tile} />
      <Menu.Divider />
      <Menu.Item leftSection={<IconCopy size={14} />} onClick={() => tiles.duplicate.mutate(tile.id)}>
        Duplicate
      </Menu.Item>
      <Menu.Item leftSection={<IconArrowRight size={14} />} onClick={() => onMove(tile)}>
        Move to another dashboard
      </Menu.Item>
      <Menu.Item
        color="red"
        leftSection={<IconTrash size={14} />}
        onClick={() => tiles.remove.mutate({ id: tile.id, name })}
      >
        Take off the dashboard
      </Menu.Item>
    </>
  );
}

/** What the mouse does by dragging, for those who use none. */
function PlaceItems({ dashboard, tile }: { dashboard: Dashboard; tile: Tile }) {
  const tiles = useTiles(dashboard.id);
  const placed = placeTiles(dashboard.tiles);
  const own = placed.find(({ i }) => i === String(tile.id));
  if (!own) return null;
  const { x, y, w, h } = own;
  const place = (sm: TileLayout) => tiles.change.mutate([{ id: tile.id, layouts: { sm } }]);
  return (
    <>
      {w < COLUMNS ? (
        <Menu.Item onClick={() => place({ x: 0, y, w: COLUMNS, h })}>Full width</Menu.Item>
      ) : (
        <Menu.Item onClick={() => place({ x: 0, y, w: COLUMNS / 2, h })}>Half width</Menu.Item>
      )}
      <Menu.Item onClick={() => place({ x, y, w, h: h + 1 })}>Higher</Menu.Item>
      <Menu.Item disabled={h <= own.minH} onClick={() => place({ x, y, w, h: h - 1 })}>
        Lower
      </Menu.Item>
      <Menu.Item disabled={y === 0} onClick={() => place({ x, y: Math.max(0, y - h), w, h })}>
        Move up
      </Menu.Item>
      <Menu.Item onClick={() => place({ x, y: y + h, w, h })}>Move down</Menu.Item>
    </>
  );
}
