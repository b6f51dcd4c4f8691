import { useQuery } from '@tanstack/react-query';
import { flagSearchQuery, flagsQuery } from '../api/use-flags.ts';
import { useProjectId } from '../api/use-project.ts';
import { SearchPicker } from './SearchPicker.tsx';

interface FlagPickerProps {
  id: number | undefined;
  onPick: (id: number | null) => void;
  /** Offered when there may be none. */
  none?: string;
}

export function FlagPicker({ id, onPick, none }: FlagPickerProps) {
  const projectId = useProjectId();
  const all = useQuery({ ...flagsQuery(projectId), enabled: id !== undefined });
  const key = all.data?.results.find((flag) => flag.id === id)?.key;
  return (
    <SearchPicker
      label="Flag"
      size="xs"
      shown={id === undefined ? (none ?? 'Choose a flag') : (key ?? `Flag ${id}`)}
      find={(search) => flagSearchQuery(projectId, search)}
      toChoices={({ results }) =>
        results.map((flag) => ({ value: String(flag.id), label: flag.key, about: flag.name }))
      }
      first={none ? [{ value: '', label: none }] : []}
      onPick={({ value }) => onPick(value === '' ? null : Number(value))}
    />
  );
}
