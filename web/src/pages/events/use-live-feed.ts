import { useEffect, useRef, useState } from 'react';
import { followEvents, type TailLine } from '../../api/follow-events.ts';
import { emptyFeed, withLines } from './live-feed.ts';

const SHOW_MS = 250;
/** While the feed stands still, this many lines are kept for later; older ones are let go. */
const HELD_MAX = 1_000;

/** Events as they come in. Lines are shown a few times a second, however many there are. */
export function useLiveFeed(projectId: number, isPaused: boolean) {
  const [feed, setFeed] = useState(emptyFeed);
  const [isConnected, setConnected] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const held = useRef<TailLine[]>([]);
  const paused = useRef(isPaused);
  paused.current = isPaused;

  useEffect(() => {
    const leaving = new AbortController();
    let count = 0;
    const serial = () => {
      count += 1;
      return count;
    };
    const onLine = (line: TailLine) => {
      held.current.push(line);
      if (held.current.length > HELD_MAX) held.current.shift();
    };
    const timer = setInterval(() => {
      if (paused.current || held.current.length === 0) return;
      const lines = held.current;
      held.current = [];
      setFeed((before) => withLines(before, lines, serial));
    }, SHOW_MS);
    setFeed(emptyFeed);
    followEvents(projectId, leaving.signal, onLine, setConnected).catch((error: unknown) => {
      if (!leaving.signal.aborted) setFailure(error);
    });
    return () => {
      leaving.abort();
      clearInterval(timer);
      held.current = [];
    };
  }, [projectId]);

  return { feed, isConnected, failure, clear: () => setFeed(emptyFeed) };
}
