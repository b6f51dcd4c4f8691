import { Button, Group, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Project } from '../../api/use-me.ts';

const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

type Draft = Pick<Project, 'name' | 'timezone'>;

interface ProjectFormProps {
  initial: Draft;
  label: string;
  isBusy: boolean;
  onSubmit: (draft: Draft) => void;
}

export function ProjectForm({ initial, label, isBusy, onSubmit }: ProjectFormProps) {
  const form = useForm({ initialValues: initial });
  return (
    <form onSubmit={form.onSubmit(onSubmit)}>
      <Group align="flex-end">
        <TextInput label="Name" required flex={1} miw={180} {...form.getInputProps('name')} />
        <Select
          label="Time zone"
          data={TIME_ZONES}
          searchable
          allowDeselect={false}
          limit={50}
          {...form.getInputProps('timezone')}
        />
        <Button type="submit" variant="default" loading={isBusy}>
          {label}
        </Button>
      </Group>
    </form>
  );
}
