import { Badge, Button, Group, Popover, Stack, TagsInput } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { projectPath, useProjectId } from '../../api/use-project.ts';

interface TagsEditorProps {
  tags: readonly string[];
  canEdit: boolean;
  onSave: (tags: string[]) => void;
}

export function TagsEditor({ tags, canEdit, onSave }: TagsEditorProps) {
  const projectId = useProjectId();
  const [draft, setDraft] = useState<string[]>();
  const known = useQuery({
    queryKey: ['tags', projectId],
    queryFn: () => api.get<string[]>(projectPath(projectId, '/tags/')),
    enabled: draft !== undefined,
  });
  return (
    <Group gap={4}>
      {tags.map((tag) => (
        <Badge key={tag} variant="default" tt="none">
          {tag}
        </Badge>
      ))}
      {canEdit && (
        <Popover
          opened={draft !== undefined}
          onChange={(isOpen) => !isOpen && setDraft(undefined)}
          trapFocus
          width={280}
        >
          <Popover.Target>
            <Button
              variant="subtle"
              size="compact-xs"
              leftSection={<IconTag size={12} />}
              onClick={() => setDraft([...tags])}
            >
              {tags.length === 0 ? 'Add tags' : 'Change tags'}
            </Button>
          </Popover.Target>
          <Popover.Dropdown>
            <Stack gap="xs">
              <TagsInput
                label="Tags"
                data={known.data ?? []}
                value={draft ?? []}
                onChange={setDraft}
                comboboxProps={{ withinPortal: false }}
                acceptValueOnBlur
              />
              <Button
                size="xs"
                onClick={() => {
                  onSave(draft ?? []);
                  setDraft(undefined);
                }}
              >
                Save tags
              </Button>
            </Stack>
          </Popover.Dropdown>
        </Popover>
      )}
    </Group>
  );
}
