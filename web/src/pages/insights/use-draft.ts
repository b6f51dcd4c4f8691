// The question being written: kept in the address, with a way back through what it was before.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { InsightQuery } from '../../query/nodes.ts';
import type { InsightSearch } from '../../routes/insights.ts';

const STEPS_MAX = 100;

export interface Draft {
  query: InsightQuery;
  set: (query: InsightQuery) => void;
  undo: (() => void) | undefined;
  redo: (() => void) | undefined;
  isChanged: boolean;
}

export function useDraft(saved: InsightQuery): Draft {
  const { q } = useSearch({ strict: false }) as InsightSearch;
  const navigate = useNavigate();
  const steps = useRef<{ back: InsightQuery[]; forth: InsightQuery[] }>({ back: [], forth: [] });
  // The address follows a moment later; what is typed must not wait for it.
  const [query, setQuery] = useState(q ?? saved);

  const show = (shown: InsightQuery) => {
    setQuery(shown);
    void navigate({ to: '.', search: (before: InsightSearch) => ({ ...before, q: shown }), replace: true });
  };
  const { back, forth } = steps.current;
  return {
    query,
    isChanged: JSON.stringify(query) !== JSON.stringify(saved),
    set(changed) {
      steps.current = { back: [...back, query].slice(-STEPS_MAX), forth: [] };
      show(changed);
    },
    undo:
      back.length === 0
        ? undefined
        : () => {
            steps.current = { back: back.slice(0, -1), forth: [query, ...forth] };
            show(back.at(-1) as InsightQuery);
          },
    redo:
      forth.length === 0
        ? undefined
        : () => {
            steps.current = { back: [...back, query], forth: forth.slice(1) };
            show(forth[0] as InsightQuery);
          },
  };
}
