import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

interface PageHeaderProps {
  title: string;
  /** In place of the plain title: one that can be edited. */
  heading?: ReactNode;
  /** Beside the title: the state of the thing. */
  badge?: ReactNode;
  about?: ReactNode;
  /** Buttons on the right. */
  children?: ReactNode;
}

/** The head of every page; it also names the browser's tab. */
export function PageHeader({ title, heading, badge, about, children }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Tenrec`;
  }, [title]);
  return (
    <Group justify="space-between" align="flex-start" mb="md" gap="sm">
      <Stack gap={2} miw={0}>
        {heading ?? (
          <Group gap="sm">
            <Title order={1} size="h2" className="breakable" dir="auto">
              {title}
            </Title>
            {badge}
          </Group>
        )}
        {about && (
          <Text c="dimmed" size="sm" component="div">
            {about}
          </Text>
        )}
      </Stack>
      {children && <Group gap="xs">{children}</Group>}
    </Group>
  );
}
