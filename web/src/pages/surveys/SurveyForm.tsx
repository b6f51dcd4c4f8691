// What a survey asks, and whom.
import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Paper,
  Select,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Question, QuestionType, SurveyDraft } from '../../api/use-surveys.ts';
import { FlagPicker } from '../../pickers/FlagPicker.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { findMistake, newQuestion, questionTypes, withType } from './survey-draft.ts';

interface SurveyFormProps {
  initial: SurveyDraft;
  confirm: string;
  error: unknown;
  isSaving: boolean;
  onSave: (draft: SurveyDraft) => void;
}

export function SurveyForm({ initial, confirm, error, isSaving, onSave }: SurveyFormProps) {
  const [draft, setDraft] = useState(initial);
  const [wasTried, setTried] = useState(false);
  const change = (part: Partial<SurveyDraft>) => setDraft((before) => ({ ...before, ...part }));
  const mistake = findMistake(draft);
  const save = () => {
    setTried(true);
    if (mistake === undefined) onSave(draft);
  };
  return (
    <Stack gap="xl" maw={760}>
      <Stack>
        <TextInput
          label="Name"
          required
          maxLength={400}
          value={draft.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <Textarea
          label="Description"
          description="For your team; people who are asked do not see it."
          autosize
          maxRows={6}
          value={draft.description}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
        />
        <Select
          label="Shown as"
          maw={360}
          allowDeselect={false}
          data={[
            { value: 'popover', label: 'A box that pops up' },
            { value: 'widget', label: 'A button that opens it' },
            { value: 'api', label: 'By your own code (API)' },
          ]}
          value={draft.type}
          onChange={(type) => change({ type: type as SurveyDraft['type'] })}
        />
      </Stack>
      <Questions questions={draft.questions ?? []} onChange={(questions) => change({ questions })} />
      <Audience draft={draft} change={change} />
      <Refusal error={wasTried && mistake !== undefined ? mistake : error} />
      <Button w="fit-content" loading={isSaving} onClick={save}>
        {confirm}
      </Button>
    </Stack>
  );
}

interface QuestionsProps {
  questions: readonly Question[];
  onChange: (questions: Question[]) => void;
}

function Questions({ questions, onChange }: QuestionsProps) {
  const swap = (index: number, other: number) => {
    const moved = [...questions];
    const [one, two] = [moved[index], moved[other]];
    if (!one || !two) return;
    moved[index] = two;
    moved[other] = one;
    onChange(moved);
  };
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        Questions
      </Title>
      <Stack gap="sm">
        {questions.map((question, index) => (
          <QuestionCard
            key={question.id ?? index}
            number={index + 1}
            question={question}
            onChange={(changed) => onChange(questions.map((each, at) => (at === index ? changed : each)))}
            onUp={index > 0 ? () => swap(index, index - 1) : undefined}
            onDown={index < questions.length - 1 ? () => swap(index, index + 1) : undefined}
            onRemove={questions.length > 1 ? () => onChange(questions.filter((_, at) => at !== index)) : undefined}
          />
        ))}
        <Button
          variant="default"
          size="xs"
          w="fit-content"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...questions, newQuestion()])}
        >
          Add a question
        </Button>
      </Stack>
    </section>
  );
}

interface CardProps {
  number: number;
  question: Question;
  onChange: (question: Question) => void;
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
  onRemove: (() => void) | undefined;
}

function QuestionCard({ number, question, onChange, onUp, onDown, onRemove }: CardProps) {
  const button = { variant: 'subtle', color: 'gray' } as const;
  return (
    <Paper withBorder p="sm" role="group" aria-label={`Question ${number}`}>
      <Group justify="space-between" mb="xs">
        <Text size="sm" fw={600}>
          Question {number}
        </Text>
        <Group gap={2}>
          <ActionIcon {...button} aria-label={`Move question ${number} up`} disabled={!onUp} onClick={onUp}>
            <IconArrowUp size={16} />
          </ActionIcon>
          <ActionIcon {...button} aria-label={`Move question ${number} down`} disabled={!onDown} onClick={onDown}>
            <IconArrowDown size={16} />
          </ActionIcon>
          <ActionIcon {...button} aria-label={`Remove question ${number}`} disabled={!onRemove} onClick={onRemove}>
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      </Group>
      <Stack gap="sm">
        <Select
          label="Kind"
          size="xs"
          maw={240}
          allowDeselect={false}
          data={[...questionTypes]}
          value={question.type}
          onChange={(type) => type && onChange(withType(question, type as QuestionType))}
        />
        <TextInput
          label="Text"
          value={question.question}
          onChange={({ currentTarget }) => onChange({ ...question, question: currentTarget.value })}
        />
        <QuestionExtras question={question} onChange={onChange} />
        <Checkbox
          label="May be left out"
          checked={question.optional ?? false}
          onChange={({ currentTarget }) => onChange({ ...question, optional: currentTarget.checked })}
        />
      </Stack>
    </Paper>
  );
}

function QuestionExtras({ question, onChange }: Pick<CardProps, 'question' | 'onChange'>) {
  if (question.type === 'rating') {
    return (
      <Group>
        <Select
          label="Scale"
          w={140}
          allowDeselect={false}
          data={[
            { value: '3', label: '1 to 3' },
            { value: '5', label: '1 to 5' },
            { value: '7', label: '1 to 7' },
            { value: '10', label: '0 to 10' },
          ]}
          value={String(question.scale ?? 5)}
          onChange={(scale) => onChange({ ...question, scale: Number(scale) })}
        />
        <TextInput
          label="The lowest means"
          value={question.lowerBoundLabel ?? ''}
          onChange={({ currentTarget }) => onChange({ ...question, lowerBoundLabel: currentTarget.value })}
        />
        <TextInput
          label="The highest means"
          value={question.upperBoundLabel ?? ''}
          onChange={({ currentTarget }) => onChange({ ...question, upperBoundLabel: currentTarget.value })}
        />
      </Group>
    );
  }
  if (question.type === 'single_choice' || question.type === 'multiple_choice') {
    return (
      <TagsInput
        label="Choices"
        description="Enter after each."
        acceptValueOnBlur
        value={question.choices ?? []}
        onChange={(choices) => onChange({ ...question, choices })}
      />
    );
  }
  if (question.type === 'link') {
    return (
      <TextInput
        label="Leads to"
        description="https:// or mailto:"
        value={question.link ?? ''}
        onChange={({ currentTarget }) => onChange({ ...question, link: currentTarget.value })}
      />
    );
  }
  return null;
}

interface AudienceProps {
  draft: SurveyDraft;
  change: (part: Partial<SurveyDraft>) => void;
}

function Audience({ draft, change }: AudienceProps) {
  const { conditions } = draft;
  const setUrl = (url: string) =>
    change({
      conditions: url === '' ? null : { ...conditions, url, urlMatchType: conditions?.urlMatchType ?? 'icontains' },
    });
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        Who is asked
      </Title>
      <Stack>
        <TextInput
          label="On pages whose address contains"
          description="Empty: on every page."
          maw={480}
          value={conditions?.url ?? ''}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        <div>
          <Text size="sm" fw={600} mb={4}>
            Only when this flag is on
          </Text>
          <FlagPicker
            id={draft.linked_flag_id ?? undefined}
            none="No flag: everybody"
            onPick={(linked_flag_id) => change({ linked_flag_id })}
          />
        </div>
        <NumberInput
          label="End after so many answers"
          description="Empty: it ends when you end it."
          maw={240}
          min={1}
          value={draft.responses_limit ?? ''}
          onChange={(limit) => change({ responses_limit: limit === '' ? null : Number(limit) })}
        />
      </Stack>
    </section>
  );
}
