// A new export: first where to, then how.
import { Card, SimpleGrid, Text } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useCreateExport } from '../../api/use-exports.ts';
import { useProjectId, useTimeZone } from '../../api/use-project.ts';
import { LinkButton, LinkText } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Failure } from '../../ui/Panel.tsx';
import { destinations, findDestination } from './destinations.ts';
import { ExportForm } from './ExportForm.tsx';
import { toDraft, toEdited } from './export-draft.ts';

export function ChooseDestinationPage() {
  const projectId = String(useProjectId());
  return (
    <>
      <PageHeader title="New export" about="Where shall the rows go?" />
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {destinations.map(({ type, label, about }) => (
          <Card key={type} withBorder padding="md">
            <LinkText
              fw={600}
              to="/project/$projectId/exports/new/$destination"
              params={{ projectId, destination: type }}
            >
              {label}
            </LinkText>
            <Text size="sm" c="dimmed" mt={4}>
              {about}
            </Text>
          </Card>
        ))}
      </SimpleGrid>
    </>
  );
}

export function NewExportPage() {
  const projectId = String(useProjectId());
  const timeZone = useTimeZone();
  const navigate = useNavigate();
  const create = useCreateExport();
  const { destination = '' } = useParams({ strict: false }) as { destination?: string };
  const words = findDestination(destination);
  if (!words) return <Failure error={new Error(`There is no kind of destination that is called “${destination}”.`)} />;
  return (
    <>
      <PageHeader title={`New export to ${words.label}`} about={words.about}>
        <LinkButton to="/project/$projectId/exports/new" params={{ projectId }} variant="default">
          Somewhere else
        </LinkButton>
      </PageHeader>
      <ExportForm
        words={words}
        initial={toEdited(words, undefined, timeZone)}
        confirm="Make the export"
        error={create.error}
        isSaving={create.isPending}
        onSave={(edited) =>
          create.mutate(toDraft(words, edited), {
            onSuccess: ({ id }) =>
              navigate({ to: '/project/$projectId/exports/$exportId', params: { projectId, exportId: id } }),
          })
        }
      />
    </>
  );
}
