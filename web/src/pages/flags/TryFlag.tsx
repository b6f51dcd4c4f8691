// What the flag is for somebody, and why: as it is saved, with what is known of them now.
import { Badge, Code, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { evaluationsQuery, type Flag } from '../../api/use-flags.ts';
import { personSearchQuery } from '../../api/use-persons.ts';
import { useProjectId } from '../../api/use-project.ts';
import { SearchPicker } from '../../pickers/SearchPicker.tsx';
import { LinkText } from '../../ui/links.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { usePageSearch } from '../../ui/use-page-search.ts';
import { reasonText } from './reasons.ts';

export function TryFlag({ flag }: { flag: Flag }) {
  const projectId = useProjectId();
  const [{ as = '' }, setSearch] = usePageSearch<{ as?: string | undefined }>();
  return (
    <Stack maw={720} align="flex-start">
      <Text size="sm" c="dimmed">
        Pick a person, or type any distinct id, and see what their device would be told now.
      </Text>
      <SearchPicker
        label="Person"
        shown={as || 'Choose a person'}
        find={(search) => personSearchQuery(projectId, search)}
        toChoices={({ results }) =>
          results.map(({ name, distinct_ids }) => ({
            value: distinct_ids[0] ?? '',
            label: name,
            about: distinct_ids[0],
          }))
        }
        freeText
        onPick={({ value }) => setSearch({ as: value })}
      />
      {as !== '' && <Outcome flag={flag} distinctId={as} />}
    </Stack>
  );
}

function Outcome({ flag, distinctId }: { flag: Flag; distinctId: string }) {
  const projectId = useProjectId();
  const evaluations = useQuery(evaluationsQuery(projectId, distinctId));
  return (
    <Panel query={evaluations}>
      {(found) => {
        const outcome = found[flag.key];
        if (!outcome) return <Text>The flag is not evaluated for them.</Text>;
        const { value, evaluation } = outcome;
        const payload = flag.filters.payloads?.[String(value)];
        return (
          <Paper withBorder p="md" w="100%" role="status">
            <Stack gap="xs">
              <Group gap="xs">
                <Text>
                  <b>{flag.key}</b> is
                </Text>
                <Badge size="lg" variant="dot" color={value === false ? 'gray' : 'teal'} tt="none">
                  {String(value)}
                </Badge>
                <Text className="breakable">
                  for{' '}
                  <LinkText
                    to="/project/$projectId/person"
                    params={{ projectId: String(projectId) }}
                    search={{ distinct_id: distinctId }}
                  >
                    {distinctId}
                  </LinkText>
                </Text>
              </Group>
              <Text size="sm">{reasonText(evaluation)}</Text>
              {payload !== undefined && (
                <Text size="sm" className="breakable">
                  With the payload <Code>{payload}</Code>
                </Text>
              )}
            </Stack>
          </Paper>
        );
      }}
    </Panel>
  );
}
