// For whom a flag is on: conditions in order, each with a share and how many people it is about.
import { ActionIcon, Badge, Button, Group, NumberInput, Paper, Select, Slider, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { blastRadiusQuery, type FlagCondition, type FlagFilters } from '../../api/use-flags.ts';
import { useProjectId } from '../../api/use-project.ts';
import { PersonFilters } from '../../pickers/PersonFilters.tsx';
import { isFilterComplete } from '../../pickers/person-filter.ts';
import { formatNumber, formatShare } from '../../ui/format.ts';
import { variantsOf } from './flag-draft.ts';

interface ConditionListProps {
  filters: FlagFilters;
  onChange: (groups: FlagCondition[]) => void;
}

export function ConditionList({ filters, onChange }: ConditionListProps) {
  const { groups } = filters;
  const replace = (index: number, group: FlagCondition) =>
    onChange(groups.map((each, at) => (at === index ? group : each)));
  return (
    <Stack gap="xs" align="flex-start">
      {groups.length === 0 && (
        <Text size="sm" c="dimmed">
          Without a condition, the flag is off for everybody.
        </Text>
      )}
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions are known by their place
        <Fragment key={index}>
          {index > 0 && <Badge variant="default">or</Badge>}
          <ConditionCard
            number={index + 1}
            condition={group}
            filters={filters}
            onChange={(changed) => replace(index, changed)}
            onRemove={() => onChange(groups.filter((_, at) => at !== index))}
          />
        </Fragment>
      ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...groups, { properties: [], rollout_percentage: 100, variant: null }])}
      >
        Add a condition
      </Button>
    </Stack>
  );
}

interface CardProps {
  number: number;
  condition: FlagCondition;
  filters: FlagFilters;
  onChange: (condition: FlagCondition) => void;
  onRemove: () => void;
}

function ConditionCard({ number, condition, filters, onChange, onRemove }: CardProps) {
  const variants = variantsOf(filters);
  const index = filters.aggregation_group_type_index ?? undefined;
  const share = condition.rollout_percentage ?? 100;
  const setShare = (value: number | string) => onChange({ ...condition, rollout_percentage: Number(value) });
  return (
    <Paper withBorder p="sm" w="100%" role="group" aria-label={`Condition ${number}`}>
      <Group justify="space-between" mb="xs">
        <Text size="sm" fw={600}>
          Condition {number}
        </Text>
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove condition ${number}`} onClick={onRemove}>
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
      <Stack gap="sm">
        {condition.properties.length === 0 && (
          <Text size="sm" c="dimmed">
            {index === undefined ? 'Everybody' : 'Every group'}
          </Text>
        )}
        <PersonFilters
          label="Only those for whom…"
          filters={condition.properties}
          withCohorts
          withFlags
          groupTypeIndex={index}
          onChange={(properties) => onChange({ ...condition, properties })}
        />
        <Group gap="sm">
          <Text size="sm">Rolled out to</Text>
          <NumberInput
            aria-label={`Rollout of condition ${number}, in percent`}
            size="xs"
            w={84}
            min={0}
            max={100}
            suffix="%"
            value={share}
            onChange={setShare}
          />
          <Slider
            flex={1}
            miw={120}
            maw={320}
            size="sm"
            value={share}
            onChange={setShare}
            label={null}
            thumbLabel={`Rollout of condition ${number}`}
          />
        </Group>
        {variants.length > 0 && (
          <Select
            label="Variant"
            description="Whoever comes in by this condition gets it; otherwise the shares of the variants decide."
            size="xs"
            maw={360}
            clearable
            placeholder="By the shares"
            data={variants.map(({ key }) => key).filter((key) => key !== '')}
            value={condition.variant ?? null}
            onChange={(variant) => onChange({ ...condition, variant })}
          />
        )}
        <BlastRadius condition={condition} groupTypeIndex={index ?? null} share={share} />
      </Stack>
    </Paper>
  );
}

const SETTLED_MS = 400;

interface RadiusProps {
  condition: FlagCondition;
  groupTypeIndex: number | null;
  share: number;
}

/** How many there are for whom the condition holds, and how many of them the rollout lets in. */
function BlastRadius({ condition, groupTypeIndex, share }: RadiusProps) {
  const projectId = useProjectId();
  const [properties] = useDebouncedValue(condition.properties, SETTLED_MS);
  const isComplete = properties.every(isFilterComplete);
  const radius = useQuery({
    ...blastRadiusQuery(
      projectId,
      properties.map(({ cohort_name: _, ...filter }) => filter),
      groupTypeIndex,
    ),
    enabled: isComplete,
    retry: false,
  });
  if (!isComplete) return null;
  if (radius.error) {
    return (
      <Text size="xs" c="dimmed">
        How many this is about could not be counted: {radius.error.message}
      </Text>
    );
  }
  if (!radius.data) return null;
  const { users_affected, total_users } = radius.data;
  const noun = groupTypeIndex === null ? 'people' : 'groups';
  const part = total_users === 0 ? 0 : users_affected / total_users;
  return (
    <Text size="xs" c="dimmed" role="status">
      Holds for {formatNumber(users_affected)} of {formatNumber(total_users)} {noun} ({formatShare(part)}); the rollout
      lets in about {formatNumber(Math.round((users_affected * share) / 100))}.
    </Text>
  );
}
