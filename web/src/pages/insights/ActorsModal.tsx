// Who is behind a point of a chart.
import { Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useProjectId } from '../../api/use-project.ts';
import { actorsQuery, type ChartPoint } from '../../api/use-query.ts';
import { toCsv } from '../../query/csv.ts';
import type { QueryNode } from '../../query/nodes.ts';
import type { QueryAnswer } from '../../query/results.ts';
import { download, toFileName } from '../../ui/download.ts';
import { formatNumber } from '../../ui/format.ts';
import { LinkText } from '../../ui/links.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Scroll } from '../../ui/Scroll.tsx';
import { readActors } from './read-actors.ts';

interface ActorsModalProps {
  source: QueryNode;
  point: ChartPoint;
  onClose: () => void;
}

export default function ActorsModal({ source, point, onClose }: ActorsModalProps) {
  const projectId = useProjectId();
  const answer = useQuery(actorsQuery(projectId, source, point));
  return (
    <Modal opened onClose={onClose} title={`Who: ${point.title}`} size="lg">
      <Panel
        query={answer}
        isEmpty={({ results }) => (results as unknown[]).length === 0}
        empty={<Text c="dimmed">Nobody, at this point.</Text>}
      >
        {(found) => <Actors answer={found} point={point} projectId={projectId} />}
      </Panel>
    </Modal>
  );
}

function Actors({ answer, point, projectId }: { answer: QueryAnswer; point: ChartPoint; projectId: number }) {
  const actors = readActors(answer);
  const save = () =>
    download(
      toFileName(`people ${point.title}`, 'csv'),
      toCsv([['id', 'name', 'times'], ...actors.map(({ id, name, count }) => [id, name, count])]),
    );
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm">
          {formatNumber(actors.length)} {answer.hasMore ? 'of them, and there are more' : 'in all'}
        </Text>
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} />} onClick={save}>
          CSV
        </Button>
      </Group>
      <Scroll label="People">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Person</Table.Th>
              <Table.Th ta="right">Times</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {actors.map(({ id, name, count }) => (
              <Table.Tr key={id}>
                <Table.Td className="breakable">
                  <LinkText
                    to="/project/$projectId/persons/$personId"
                    params={{ projectId: String(projectId), personId: id }}
                  >
                    {name}
                  </LinkText>
                </Table.Td>
                <Table.Td ta="right">{count === undefined ? '' : formatNumber(count)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Scroll>
    </Stack>
  );
}
