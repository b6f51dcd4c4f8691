// Two or more values that a flag can have, and what is handed over with each.
import {
  ActionIcon,
  Button,
  Group,
  NumberInput,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { FlagFilters, FlagVariant } from '../../api/use-flags.ts';
import { payloadNames, shareEqually, variantsOf } from './flag-draft.ts';

interface EditorProps {
  filters: FlagFilters;
  onChange: (filters: FlagFilters) => void;
}

const FIRST_VARIANTS: FlagVariant[] = [
  { key: 'control', rollout_percentage: 50 },
  { key: 'test', rollout_percentage: 50 },
];

export function VariantEditor({ filters, onChange }: EditorProps) {
  const variants = variantsOf(filters);
  const setVariants = (changed: FlagVariant[]) =>
    onChange({ ...filters, multivariate: changed.length === 0 ? null : { variants: changed } });
  const setKind = (kind: string) => {
    const groups = filters.groups.map((group) => ({ ...group, variant: null }));
    onChange({ ...filters, groups, multivariate: kind === 'variants' ? { variants: FIRST_VARIANTS } : null });
  };
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="Kind of flag"
        w="fit-content"
        value={variants.length > 0 ? 'variants' : 'boolean'}
        onChange={setKind}
        data={[
          { value: 'boolean', label: 'On or off' },
          { value: 'variants', label: 'One of several variants' },
        ]}
      />
      {variants.map((variant, index) => (
        <VariantRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a variant's key is what is being edited
          key={index}
          number={index + 1}
          variant={variant}
          onChange={(changed) => setVariants(variants.map((each, at) => (at === index ? changed : each)))}
          onRemove={variants.length > 1 ? () => setVariants(variants.filter((_, at) => at !== index)) : undefined}
        />
      ))}
      {variants.length > 0 && (
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => setVariants([...variants, { key: '', rollout_percentage: 0 }])}
          >
            Add a variant
          </Button>
          <Button size="xs" variant="default" onClick={() => setVariants(shareEqually(variants))}>
            Share equally
          </Button>
          <Text size="sm" c="dimmed">
            {variants.reduce((sum, { rollout_percentage }) => sum + rollout_percentage, 0)}% of 100%
          </Text>
        </Group>
      )}
    </Stack>
  );
}

interface RowProps {
  number: number;
  variant: FlagVariant;
  onChange: (variant: FlagVariant) => void;
  onRemove: (() => void) | undefined;
}

function VariantRow({ number, variant, onChange, onRemove }: RowProps) {
  return (
    <Group gap="xs">
      <TextInput
        aria-label={`Key of variant ${number}`}
        size="xs"
        w={180}
        placeholder="Key"
        value={variant.key}
        onChange={({ currentTarget }) => onChange({ ...variant, key: currentTarget.value })}
      />
      <NumberInput
        aria-label={`Share of variant ${number}, in percent`}
        size="xs"
        w={84}
        min={0}
        max={100}
        suffix="%"
        value={variant.rollout_percentage}
        onChange={(share) => onChange({ ...variant, rollout_percentage: Number(share) })}
      />
      {onRemove && (
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove variant ${number}`} onClick={onRemove}>
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </Group>
  );
}

/** JSON that SDKs hand over with the value. */
export function PayloadEditor({ filters, onChange }: EditorProps) {
  const payloads = filters.payloads ?? {};
  return (
    <Stack gap="sm">
      {payloadNames(filters).map((name) => (
        <Textarea
          key={name}
          label={name === 'true' ? 'When it is on' : `With ${name || 'a variant without a key'}`}
          placeholder={'{"color": "green"}'}
          autosize
          maxRows={12}
          maw={560}
          value={payloads[name] ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ ...filters, payloads: { ...payloads, [name]: currentTarget.value } })
          }
        />
      ))}
    </Stack>
  );
}
