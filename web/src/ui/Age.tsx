import { useTimeZone } from '../api/use-project.ts';
import { formatAge, formatMoment } from './format.ts';

/** How long ago; the exact time is under the pointer. */
export function Age({ at }: { at: string | null | undefined }) {
  const timeZone = useTimeZone();
  if (!at) return <>never</>;
  return (
    <time dateTime={at} title={`${formatMoment(at, timeZone)} (${timeZone})`}>
      {formatAge(at)}
    </time>
  );
}
