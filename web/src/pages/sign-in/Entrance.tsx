import { Center, Group, Paper, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

/** The frame of pages that one sees before one is signed in. */
export function Entrance({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Tenrec`;
  }, [title]);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={420} radius="lg">
        <Stack>
          <Group gap="sm">
            <img src={`${import.meta.env.BASE_URL}mark.svg`} alt="" width={36} height={36} />
            <Title order={1} size="h3">
              {title}
            </Title>
          </Group>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
