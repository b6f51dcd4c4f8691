import { Button, Group, Modal, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type EarlyAccessFeature, type FeatureDraft, useEarlyAccess } from '../../api/use-early-access.ts';
import { FlagPicker } from '../../pickers/FlagPicker.tsx';
import { toFieldErrors } from '../../ui/form-errors.ts';
import { showError } from '../../ui/messages.tsx';
import { stageOptions } from './stages.ts';

interface DialogProps {
  /** Undefined: a new one. */
  feature: EarlyAccessFeature | undefined;
  onClose: () => void;
}

const FIELDS = ['name', 'description', 'stage', 'documentation_url'];

export function FeatureDialog({ feature, onClose }: DialogProps) {
  const { create, change } = useEarlyAccess();
  const form = useForm<FeatureDraft>({
    initialValues: {
      name: feature?.name ?? '',
      description: feature?.description ?? '',
      stage: feature?.stage ?? 'beta',
      documentation_url: feature?.documentation_url ?? '',
      feature_flag_id: undefined,
    },
  });
  const onError = (error: Error) => {
    const errors = toFieldErrors(error, FIELDS);
    if (errors) form.setErrors(errors);
    else showError(error);
  };
  const submit = form.onSubmit(({ feature_flag_id, ...draft }) =>
    feature
      ? change.mutate({ id: feature.id, ...draft }, { onSuccess: onClose, onError })
      : create.mutate({ ...draft, ...(feature_flag_id && { feature_flag_id }) }, { onSuccess: onClose, onError }),
  );
  return (
    <Modal opened onClose={onClose} title={feature ? 'Change the feature' : 'New feature'}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput label="Name" required maxLength={200} data-autofocus {...form.getInputProps('name')} />
          <Textarea
            label="Description"
            description="People read it before they choose."
            autosize
            maxRows={6}
            {...form.getInputProps('description')}
          />
          <Select
            label="Stage"
            description="From concept to released, people can choose it; as a draft or in the archive, nobody can."
            allowDeselect={false}
            data={stageOptions}
            {...form.getInputProps('stage')}
          />
          <TextInput label="Address of its documentation" type="url" {...form.getInputProps('documentation_url')} />
          {!feature && (
            <div>
              <Text size="sm" fw={600} mb={4}>
                Flag
              </Text>
              <FlagPicker
                id={form.values.feature_flag_id}
                none="Make a new one"
                onPick={(id) => form.setFieldValue('feature_flag_id', id ?? undefined)}
              />
            </div>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending || change.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
