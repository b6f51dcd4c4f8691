import { useQuery } from '@tanstack/react-query';
import { cohortSearchQuery, cohortsQuery } from '../api/use-cohorts.ts';
import { useProjectId } from '../api/use-project.ts';
import { SearchPicker } from './SearchPicker.tsx';

interface CohortPickerProps {
  id: number | undefined;
  /** When whoever asks knows it already. */
  name?: string | null | undefined;
  onPick: (id: number, name: string) => void;
}

export function CohortPicker({ id, name, onPick }: CohortPickerProps) {
  const projectId = useProjectId();
  const all = useQuery({ ...cohortsQuery(projectId), enabled: id !== undefined && !name });
  const known = name ?? all.data?.results.find((cohort) => cohort.id === id)?.name;
  return (
    <SearchPicker
      label="Cohort"
      size="xs"
      shown={id === undefined ? 'Choose a cohort' : (known ?? `Cohort ${id}`)}
      find={(search) => cohortSearchQuery(projectId, search)}
      toChoices={({ results }) =>
        results.map((cohort) => ({ value: String(cohort.id), label: cohort.name ?? `Cohort ${cohort.id}` }))
      }
      onPick={({ value, label }) => onPick(Number(value), label)}
    />
  );
}
