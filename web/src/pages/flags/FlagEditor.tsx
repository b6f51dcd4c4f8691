// Everything about a flag that can be changed, judged as one.
import { Button, Group, Select, Stack, Switch, TagsInput, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { FlagFilters } from '../../api/use-flags.ts';
import { groupTypesQuery } from '../../api/use-groups.ts';
import { useProjectId } from '../../api/use-project.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { ConditionList } from './ConditionList.tsx';
import { type EditedFlag, findMistake } from './flag-draft.ts';
import { PayloadEditor, VariantEditor } from './VariantEditor.tsx';

interface FlagEditorProps {
  initial: EditedFlag;
  /** The verb on the button. */
  confirm: string;
  error: unknown;
  isSaving: boolean;
  onSave: (flag: EditedFlag) => void;
}

export function FlagEditor({ initial, confirm, error, isSaving, onSave }: FlagEditorProps) {
  const [flag, setFlag] = useState(initial);
  const [wasTried, setTried] = useState(false);
  const change = (part: Partial<EditedFlag>) => setFlag((before) => ({ ...before, ...part }));
  const setFilters = (filters: FlagFilters) => change({ filters });
  const mistake = findMistake(flag);
  const isChanged = JSON.stringify(flag) !== JSON.stringify(initial);
  const save = () => {
    setTried(true);
    if (mistake === undefined) onSave(flag);
  };
  return (
    <Stack gap="xl" maw={860}>
      <Basics flag={flag} change={change} />
      <Section title="What it can be">
        <VariantEditor filters={flag.filters} onChange={setFilters} />
      </Section>
      <Section title="For whom" about="The first condition that holds decides; the same person always gets the same.">
        <GroupTypeChoice filters={flag.filters} onChange={setFilters} />
        <ConditionList filters={flag.filters} onChange={(groups) => setFilters({ ...flag.filters, groups })} />
      </Section>
      <Section title="Payload" about="JSON that SDKs hand to your code together with the value. Everybody can read it.">
        <PayloadEditor filters={flag.filters} onChange={setFilters} />
      </Section>
      <Refusal error={wasTried ? mistake : undefined} />
      <Refusal error={error} />
      <Group>
        <Button onClick={save} loading={isSaving}>
          {confirm}
        </Button>
        {isChanged && (
          <Button variant="default" onClick={() => setFlag(initial)}>
            Undo changes
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function Section({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <section>
      <Title order={2} size="h4" mb={4}>
        {title}
      </Title>
      {about && (
        <Text size="sm" c="dimmed" mb="sm">
          {about}
        </Text>
      )}
      {children}
    </section>
  );
}

interface BasicsProps {
  flag: EditedFlag;
  change: (part: Partial<EditedFlag>) => void;
}

function Basics({ flag, change }: BasicsProps) {
  return (
    <Stack>
      <TextInput
        label="Key"
        description="What your code asks for. Letters, numbers, hyphens and underscores."
        required
        maxLength={400}
        maw={420}
        value={flag.key}
        onChange={({ currentTarget }) => change({ key: currentTarget.value })}
      />
      <Textarea
        label="Description"
        autosize
        maxRows={6}
        value={flag.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <Switch
        label="Switched on"
        description="Off means off for everybody, whatever the conditions say."
        checked={flag.active}
        onChange={({ currentTarget }) => change({ active: currentTarget.checked })}
      />
      <Switch
        label="Keep the value when a visitor signs in"
        description="Whoever had it as a visitor has it as a person."
        checked={flag.ensure_experience_continuity}
        onChange={({ currentTarget }) => change({ ensure_experience_continuity: currentTarget.checked })}
      />
      <Group align="flex-start">
        <Select
          label="Told to"
          w={260}
          allowDeselect={false}
          data={[
            { value: 'all', label: 'Browsers, apps and servers' },
            { value: 'client', label: 'Browsers and apps' },
            { value: 'server', label: 'Servers' },
          ]}
          value={flag.evaluation_runtime}
          onChange={(value) => change({ evaluation_runtime: value as EditedFlag['evaluation_runtime'] })}
        />
        <TagsInput label="Tags" miw={220} acceptValueOnBlur value={flag.tags} onChange={(tags) => change({ tags })} />
      </Group>
    </Stack>
  );
}

interface ChoiceProps {
  filters: FlagFilters;
  onChange: (filters: FlagFilters) => void;
}

/** A flag goes by people, or by groups of one type: then all members of a group have the same. */
function GroupTypeChoice({ filters, onChange }: ChoiceProps) {
  const types = useQuery(groupTypesQuery(useProjectId()));
  const index = filters.aggregation_group_type_index ?? null;
  if (!types.data || (types.data.length === 0 && index === null)) return null;
  return (
    <Select
      label="Goes by"
      description="By groups: everybody in a group has the same value."
      maw={360}
      mb="sm"
      allowDeselect={false}
      data={[
        { value: '', label: 'People' },
        ...types.data.map((type) => ({ value: String(type.group_type_index), label: `Groups: ${type.group_type}` })),
      ]}
      value={index === null ? '' : String(index)}
      onChange={(value) =>
        onChange({
          ...filters,
          aggregation_group_type_index: value ? Number(value) : null,
          // Conditions on people mean nothing for groups, and the other way round.
          groups: filters.groups.map((group) => ({ ...group, properties: [] })),
        })
      }
    />
  );
}
