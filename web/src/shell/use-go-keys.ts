import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { destinations } from './navigation.ts';

const PATIENCE_MS = 1_000;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** `g` and then the key of a destination goes there. */
export function useGoKeys(projectId: number | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    let pressedAt = Number.NEGATIVE_INFINITY;
    const onKey = ({ key, target, timeStamp, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      if (isTyping(target) || ctrlKey || metaKey || altKey || projectId === undefined) return;
      const isSecond = timeStamp - pressedAt < PATIENCE_MS;
      const destination = isSecond ? destinations.find((each) => each.key === key) : undefined;
      pressedAt = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY;
      if (destination) void navigate({ to: `/project/${projectId}${destination.path}` });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate, projectId]);
}
