// The first minutes: a password of one's own, lines to paste, and the first event as it arrives.
import { Button, Group, Paper, Stack, Tabs, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { apiSnippet } from '../../../../src/start-page/snippets.ts';
import { useProject } from '../../api/use-project.ts';
import { CopyText } from '../../ui/CopyText.tsx';
import { LinkText } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PasswordForm } from '../account/PasswordForm.tsx';
import { FirstEvent } from './FirstEvent.tsx';
import { recallPassword } from './first-password.ts';
import { welcomeSnippets } from './snippets.ts';

export function WelcomePage() {
  const project = useProject();
  if (!project) return <Text>There is no such project.</Text>;
  const connection = { origin: window.location.origin, projectKey: project.api_token };
  return (
    <>
      <PageHeader title="Send events" about="Paste these lines into your own code; they hold your address and key." />
      <Stack maw={820} gap="lg">
        <OwnPassword />
        <Paper withBorder p="md">
          <Title order={2} size="h4" mb="xs">
            Your project key
          </Title>
          <CopyText label="Project key" text={project.api_token} />
          <Text size="sm" c="dimmed" mt="xs">
            It says where events belong and opens nothing else, so it may stand in web pages and apps.
          </Text>
        </Paper>
        <Paper withBorder p="md">
          <Title order={2} size="h4" mb="xs">
            Send an event
          </Title>
          <Tabs defaultValue="html" keepMounted={false}>
            <Tabs.List mb="sm">
              {welcomeSnippets(connection).map(({ id, title }) => (
                <Tabs.Tab key={id} value={id}>
                  {title}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {welcomeSnippets(connection).map(({ id, title, install, code }) => (
              <Tabs.Panel key={id} value={id}>
                <Stack gap="xs">
                  {install && <CopyText label={`Install command for ${title}`} text={install} />}
                  <CopyText label={`${title} snippet`} text={code} />
                </Stack>
              </Tabs.Panel>
            ))}
          </Tabs>
        </Paper>
        <FirstEvent projectId={project.id} />
        <Paper withBorder p="md">
          <Title order={2} size="h4" mb="xs">
            Ask the API
          </Title>
          <Text size="sm" mb="xs">
            With a <LinkText to="/account/keys">personal API key</LinkText>, which is yours alone:
          </Text>
          <CopyText label="A first question to the API" text={apiSnippet(connection).code} />
        </Paper>
      </Stack>
    </>
  );
}

/** Offered once, to whoever has just signed in: the first password was made up by the program. */
function OwnPassword() {
  const known = recallPassword();
  const [isDone, setDone] = useState(false);
  if (known === undefined || isDone) return null;
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          Set a password of your own
        </Title>
        <Button variant="subtle" size="compact-sm" onClick={() => setDone(true)}>
          Keep the present one
        </Button>
      </Group>
      <PasswordForm known={known} onDone={() => setDone(true)} />
    </Paper>
  );
}
