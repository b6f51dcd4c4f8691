import { useEffect, useLayoutEffect, useState } from 'react';
import { beforePrint } from './print.ts';

/** A little before it is in sight. */
const NEARLY_PX = 200;

const isNear = (element: HTMLElement) => {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > -NEARLY_PX && top < innerHeight + NEARLY_PX;
};

/** Whether the element has ever been in sight: a page of many charts can be used before the last of them is drawn. */
export function useSeen() {
  // As state, because it may come later than whoever uses this.
  const [element, ref] = useState<HTMLDivElement | null>(null);
  const [wasSeen, setSeen] = useState(false);
  // What is in sight from the beginning is there in the first frame; browsers tell of it only after that.
  useLayoutEffect(() => {
    if (element && isNear(element)) setSeen(true);
  }, [element]);
  useEffect(() => {
    if (wasSeen || !element) return undefined;
    const show = ([entry]: IntersectionObserverEntry[]) => entry?.isIntersecting && setSeen(true);
    const observer = new IntersectionObserver(show, { rootMargin: `${NEARLY_PX}px` });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, wasSeen]);
  useEffect(() => beforePrint(() => setSeen(true)), []);
  return { ref, wasSeen };
}
