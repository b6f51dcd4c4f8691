// Everything about an export: what is shipped, where to and when.
import { Alert, Button, Group, Select, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Model } from '../../api/use-exports.ts';
import { PropertyFilters } from '../../pickers/PropertyFilters.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { ConfigInput } from './ConfigInput.tsx';
import type { DestinationWords } from './destinations.ts';
import { EventNames } from './EventNames.tsx';
import { type EditedExport, findFault, toDraft } from './export-draft.ts';
import { ScheduleInput } from './ScheduleInput.tsx';
import { TestDestination } from './TestDestination.tsx';

interface ExportFormProps {
  words: DestinationWords;
  initial: EditedExport;
  /** The export that is changed: its secrets need not be given again. */
  exportId?: string;
  confirm: string;
  error: unknown;
  isSaving: boolean;
  onSave: (edited: EditedExport) => void;
}

const MODELS = [
  { value: 'events', label: 'Events' },
  { value: 'persons', label: 'Persons, with each of their distinct ids' },
  { value: 'sessions', label: 'Sessions' },
];

export function ExportForm({ words, initial, exportId, confirm, error, isSaving, onSave }: ExportFormProps) {
  const [edited, setEdited] = useState(initial);
  const [wasTried, setTried] = useState(false);
  const isStored = exportId !== undefined;
  const change = (part: Partial<EditedExport>) => setEdited((before) => ({ ...before, ...part }));
  const faults = new Map(
    words.fields.flatMap((field) => {
      const fault = findFault(field, edited.values[field.name], isStored);
      return fault === undefined ? [] : [[field.name, fault] as const];
    }),
  );
  const isNamed = edited.name.trim() !== '';
  const save = () => {
    setTried(true);
    if (isNamed && faults.size === 0) onSave(edited);
  };
  return (
    <Stack gap="xl" maw={760}>
      <Section title="What">
        <TextInput
          label="Name"
          required
          value={edited.name}
          error={wasTried && !isNamed ? 'Give it a name.' : undefined}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <Select
          label="Rows"
          description={isStored ? 'Of an export that exists, this stays as it is.' : undefined}
          disabled={isStored}
          allowDeselect={false}
          data={words.type === 'HTTP' ? MODELS.slice(0, 1) : MODELS}
          value={edited.model}
          onChange={(model) => change({ model: model as Model })}
        />
        {edited.model === 'events' && <EventChoice edited={edited} change={change} />}
      </Section>
      <Section title={`Where to: ${words.label}`}>
        {words.fields.map((field) => (
          <ConfigInput
            key={field.name}
            field={field}
            isStored={isStored}
            value={edited.values[field.name] ?? ''}
            error={wasTried ? faults.get(field.name) : undefined}
            onChange={(value) => change({ values: { ...edited.values, [field.name]: value } })}
          />
        ))}
        <TestDestination type={words.type} exportId={exportId} draft={() => toDraft(words, edited, isStored)} />
      </Section>
      <Section title="When">
        <ScheduleInput schedule={edited} onChange={change} />
      </Section>
      {wasTried && (faults.size > 0 || !isNamed) && (
        <Alert color="red" role="alert">
          Something above is missing or not right.
        </Alert>
      )}
      <Refusal error={error} />
      <Group>
        <Button loading={isSaving} onClick={save}>
          {confirm}
        </Button>
      </Group>
    </Stack>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      <Stack>{children}</Stack>
    </section>
  );
}

interface ChoiceProps {
  edited: EditedExport;
  change: (part: Partial<EditedExport>) => void;
}

function EventChoice({ edited, change }: ChoiceProps) {
  return (
    <>
      <EventNames
        label="Only these events"
        about="Empty: all of them."
        names={edited.include_events}
        onChange={(include_events) => change({ include_events })}
      />
      <EventNames
        label="None of these events"
        about="Left out, whatever is said above."
        names={edited.exclude_events}
        onChange={(exclude_events) => change({ exclude_events })}
      />
      <div>
        <Text size="sm" fw={600} mb={4}>
          Only events for which
        </Text>
        <PropertyFilters
          filters={edited.filters}
          eventOnly
          label="Add a condition"
          onChange={(filters) => change({ filters })}
        />
      </div>
      <Textarea
        label="Columns"
        description="Empty: all of them. Otherwise a SELECT of what to ship, such as SELECT event, properties.$browser AS browser FROM events."
        autosize
        maxRows={8}
        value={edited.hogql_query}
        onChange={({ currentTarget }) => change({ hogql_query: currentTarget.value })}
      />
    </>
  );
}
