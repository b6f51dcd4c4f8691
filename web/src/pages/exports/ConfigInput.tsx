// One setting of a destination, with what it means.
import { NumberInput, PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { ConfigField } from './destinations.ts';

interface ConfigInputProps {
  field: ConfigField;
  value: string | boolean;
  error: string | undefined;
  isStored: boolean;
  onChange: (value: string | boolean) => void;
}

export function ConfigInput({ field, value, error, isStored, onChange }: ConfigInputProps) {
  const { kind, label, about, isRequired, placeholder, options = [] } = field;
  const text = typeof value === 'string' ? value : '';
  const kept = isStored ? 'Kept as it is, unless you give another' : placeholder;
  const common = { label, description: about, error, withAsterisk: isRequired === true && !isStored };
  switch (kind) {
    case 'switch':
      return (
        <Switch
          label={label}
          description={about}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          maw={360}
          min={1}
          allowDecimal={false}
          value={text}
          onChange={(number) => onChange(String(number))}
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          maw={360}
          data={[...options]}
          clearable={field.fallback === undefined}
          allowDeselect={field.fallback === undefined}
          value={text || null}
          onChange={(chosen) => onChange(chosen ?? '')}
        />
      );
    case 'secret':
      return (
        <PasswordInput
          {...common}
          autoComplete="new-password"
          placeholder={kept}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    case 'long-secret':
    case 'google-key':
      return (
        <Textarea
          {...common}
          autosize
          minRows={3}
          maxRows={8}
          autoComplete="off"
          spellCheck={false}
          placeholder={kept}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    default:
      return (
        <TextInput
          {...common}
          placeholder={placeholder}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
  }
}
