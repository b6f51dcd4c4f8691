import { useIntersection } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { beforePrint } from './print.ts';

/** A little before it is in sight. */
const NEARLY = { rootMargin: '200px' };

/** Whether the element has ever been in sight: a page of many charts can be used before the last of them is drawn. */
export function useSeen() {
  const { ref, entry } = useIntersection<HTMLDivElement>(NEARLY);
  const [wasSeen, setSeen] = useState(false);
  if (entry?.isIntersecting && !wasSeen) setSeen(true);
  useEffect(() => beforePrint(() => setSeen(true)), []);
  return { ref, wasSeen };
}
