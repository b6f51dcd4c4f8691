// Trying a destination before the first run: one step after the other, until one fails.
import { Button, Group, List, Loader, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconCircle, IconPlugConnected, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ExportDraft, runTestStep, type TestStep, testStepsQuery } from '../../api/use-exports.ts';
import { useProjectId } from '../../api/use-project.ts';
import { messageOf } from '../../ui/messages.tsx';

interface TestProps {
  type: string;
  exportId: string | undefined;
  draft: () => ExportDraft;
}

type Result = TestStep['result'];

export function TestDestination({ type, exportId, draft }: TestProps) {
  const projectId = useProjectId();
  const known = useQuery(testStepsQuery(projectId, type));
  const [results, setResults] = useState<readonly Result[]>([]);
  const [running, setRunning] = useState<number>();
  const steps = known.data?.steps ?? [];
  if (steps.length === 0) return null;

  const tryOne = async (step: number): Promise<Result> => {
    try {
      return (await runTestStep(projectId, exportId, draft(), step)).result;
    } catch (error) {
      return { status: 'Failed', message: messageOf(error) };
    }
  };
  const tryAll = async () => {
    setResults([]);
    for (const step of steps.keys()) {
      setRunning(step);
      const result = await tryOne(step);
      setResults((before) => [...before, result]);
      if (result?.status !== 'Passed') break;
    }
    setRunning(undefined);
  };
  return (
    <div>
      <Group mb="xs">
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={16} />}
          loading={running !== undefined}
          onClick={() => void tryAll()}
        >
          Test the connection
        </Button>
      </Group>
      <div role="status" aria-label="Steps of the test">
        <List spacing="xs" size="sm" center={false}>
          {steps.map(({ name, description }, index) => (
            <List.Item key={name} icon={<StepIcon result={results[index]} isRunning={running === index} />}>
              <Text size="sm" fw={600}>
                {name}
              </Text>
              <Text size="sm" c="dimmed" className="breakable">
                {results[index]?.message ?? (results[index] ? 'Passed.' : description)}
              </Text>
            </List.Item>
          ))}
        </List>
      </div>
    </div>
  );
}

function StepIcon({ result, isRunning }: { result: Result | undefined; isRunning: boolean }) {
  if (isRunning) return <Loader size={18} />;
  const [color, Icon] =
    result === undefined || result === null
      ? (['gray', IconCircle] as const)
      : result.status === 'Passed'
        ? (['teal', IconCheck] as const)
        : (['red', IconX] as const);
  return (
    <ThemeIcon size={20} radius="xl" color={color} variant="light">
      <Icon size={14} />
    </ThemeIcon>
  );
}
