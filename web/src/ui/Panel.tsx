// Loading, failure and emptiness, drawn once, so that pages describe only the happy case.
import { Alert, Button, Center, Group, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from './messages.tsx';

interface PanelProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch' | 'isFetching'>;
  /** Shown in place of `children` when there is nothing to show. */
  empty?: ReactNode;
  isEmpty?: (data: T) => boolean;
  /** What is shown until the first answer; a few grey lines unless given. */
  waiting?: ReactNode;
  children: (data: T) => ReactNode;
}

export function Panel<T>({ query, empty, isEmpty, waiting, children }: PanelProps<T>) {
  if (query.data !== undefined) return isEmpty?.(query.data) ? empty : children(query.data);
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return waiting ?? <Waiting />;
}

export function Waiting({ lines = 4 }: { lines?: number }) {
  return (
    <Stack gap="sm" role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never move
        <Skeleton key={line} height={28} radius="sm" />
      ))}
    </Stack>
  );
}

/** What went wrong, in words, with something to do about it. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle />} title="This could not be loaded" role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{messageOf(error)}</Text>
        {retry && (
          <Button size="xs" variant="default" leftSection={<IconRefresh size={14} />} onClick={retry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

interface EmptyProps {
  icon: ReactNode;
  title: string;
  /** What this place is for, and how to fill it. */
  children: ReactNode;
  action?: ReactNode;
}

export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <Center py="xl">
      <Stack align="center" gap="sm" maw={480} ta="center">
        <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
          {icon}
        </ThemeIcon>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text c="dimmed" size="sm" component="div">
          {children}
        </Text>
        {action && <Group mt="xs">{action}</Group>}
      </Stack>
    </Center>
  );
}
