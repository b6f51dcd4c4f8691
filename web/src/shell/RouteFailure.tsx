import { Anchor, Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { Failure } from '../ui/Panel.tsx';

export function RouteFailure({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <Container size="sm" py="xl">
      <Failure error={error} retry={() => void router.invalidate()} />
      <Anchor href="/" mt="md" display="inline-block">
        To the start
      </Anchor>
    </Container>
  );
}

export function RouteMissing() {
  return (
    <Container size="sm" py="xl">
      <Stack>
        <Title order={1}>There is nothing here</Title>
        <Text>The address is wrong, or what it showed has been deleted.</Text>
        <Group>
          <Button component="a" href="/">
            To the start
          </Button>
        </Group>
      </Stack>
    </Container>
  );
}
