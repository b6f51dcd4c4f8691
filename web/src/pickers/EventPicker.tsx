import { eventNamesQuery } from '../api/use-definitions.ts';
import { useProjectId } from '../api/use-project.ts';
import { type Choice, SearchPicker } from './SearchPicker.tsx';

const ALL: Choice = { value: '\0all', label: 'All events' };

interface EventPickerProps {
  label?: string;
  /** Null: all events. */
  event: string | null;
  onPick: (event: string | null) => void;
  withAll?: boolean;
}

export function EventPicker({ label = 'Event', event, onPick, withAll = true }: EventPickerProps) {
  const projectId = useProjectId();
  return (
    <SearchPicker
      label={label}
      shown={event ?? ALL.label}
      find={(search) => eventNamesQuery(projectId, search)}
      toChoices={({ results }) =>
        results.map(({ name, description }) => ({ value: name, label: name, about: description }))
      }
      first={withAll ? [ALL] : []}
      onPick={({ value }) => onPick(value === ALL.value ? null : value)}
    />
  );
}
