// Features that people may choose to try, and how far each has come.
import { ActionIcon, Badge, Button, Group, Select, Table, Text } from '@mantine/core';
import { IconPencil, IconPlus, IconRocket, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type EarlyAccessFeature, featuresQuery, type Stage, useEarlyAccess } from '../../api/use-early-access.ts';
import { useProjectId } from '../../api/use-project.ts';
import { askFirst } from '../../ui/confirm.tsx';
import { LinkText } from '../../ui/links.tsx';
import { showError, showUndo } from '../../ui/messages.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { FeatureDialog } from './FeatureDialog.tsx';
import { stageNames, stageOptions } from './stages.ts';

export function EarlyAccessPage() {
  const projectId = useProjectId();
  const features = useQuery(featuresQuery(projectId));
  const [edited, setEdited] = useState<EarlyAccessFeature | 'new'>();
  const newFeature = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
      New feature
    </Button>
  );
  return (
    <>
      <PageHeader title="Early access" about="Features that people may choose to try before everybody has them.">
        {newFeature}
      </PageHeader>
      <Panel
        query={features}
        isEmpty={({ count }) => count === 0}
        empty={
          <Empty icon={<IconRocket size={28} />} title="No feature yet" action={newFeature}>
            A feature goes with a flag. Your app lists the features (<code>getEarlyAccessFeatures</code>), people
            choose, and the flag is on for those who did.
          </Empty>
        }
      >
        {({ results }) => <FeatureTable features={results} onEdit={setEdited} />}
      </Panel>
      {edited && <FeatureDialog feature={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

interface TableProps {
  features: readonly EarlyAccessFeature[];
  onEdit: (feature: EarlyAccessFeature) => void;
}

function FeatureTable({ features, onEdit }: TableProps) {
  const projectId = String(useProjectId());
  const { change, remove } = useEarlyAccess();
  const setStage = ({ id, name, stage: before }: EarlyAccessFeature, stage: Stage) =>
    change.mutate(
      { id, stage },
      {
        onSuccess: () =>
          showUndo(`“${name}” is now: ${stageNames[stage]}.`, () => change.mutateAsync({ id, stage: before })),
        onError: showError,
      },
    );
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Feature</Table.Th>
          <Table.Th>Stage</Table.Th>
          <Table.Th visibleFrom="sm">Flag</Table.Th>
          <Table.Th w={88} aria-label="Actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {features.map((feature) => (
          <Table.Tr key={feature.id}>
            <Table.Td className="breakable" dir="auto">
              <Text size="sm" fw={600}>
                {feature.name}
              </Text>
              <Text size="sm" c="dimmed" lineClamp={2}>
                {feature.description}
              </Text>
            </Table.Td>
            <Table.Td>
              <Select
                aria-label={`Stage of ${feature.name}`}
                size="xs"
                w={150}
                allowDeselect={false}
                data={stageOptions}
                value={feature.stage}
                onChange={(stage) => stage && setStage(feature, stage as Stage)}
              />
            </Table.Td>
            <Table.Td visibleFrom="sm" className="breakable">
              {feature.feature_flag ? (
                <LinkText
                  size="sm"
                  to="/project/$projectId/flags/$flagId"
                  params={{ projectId, flagId: String(feature.feature_flag.id) }}
                >
                  {feature.feature_flag.key}
                </LinkText>
              ) : (
                <Badge variant="default">none</Badge>
              )}
            </Table.Td>
            <Table.Td>
              <Group gap={2} wrap="nowrap" justify="flex-end">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Change ${feature.name}`}
                  onClick={() => onEdit(feature)}
                >
                  <IconPencil size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Delete ${feature.name}`}
                  onClick={() =>
                    askFirst({
                      title: `Delete “${feature.name}”?`,
                      message: 'Nobody can choose it any more, and those who did lose it. Its flag stays.',
                      confirm: 'Delete',
                      onConfirm: () => remove.mutate(feature.id),
                    })
                  }
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
