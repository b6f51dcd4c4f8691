import { Select, type SelectProps } from '@mantine/core';

interface ChoiceProps<Value extends string>
  extends Omit<SelectProps, 'data' | 'value' | 'onChange' | 'allowDeselect' | 'defaultValue'> {
  data: readonly (Value | { value: Value; label: string })[];
  value: Value;
  onPick: (value: Value) => void;
}

/** One of a few values, of which there is always one. */
export function Choice<Value extends string>({ data, value, onPick, ...look }: ChoiceProps<Value>) {
  return (
    <Select
      size="xs"
      allowDeselect={false}
      data={[...data]}
      value={value}
      onChange={(picked) => picked !== null && onPick(picked as Value)}
      {...look}
    />
  );
}
