import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import type { Dashboard } from '../../api/use-dashboards.ts';
import { useRefreshAnswer } from '../../api/use-query.ts';
import { showError } from '../../ui/messages.tsx';

/** So many at once that the server is busy, and other people's questions still get through. */
const AT_ONCE = 3;

export function RefreshAll({ dashboard }: { dashboard: Dashboard }) {
  const refresh = useRefreshAnswer();
  const [left, setLeft] = useState(0);
  const queries = dashboard.tiles.flatMap(({ insight }) => (insight?.query ? [insight.query] : []));

  const refreshAll = async () => {
    const waiting = [...queries];
    setLeft(waiting.length);
    const work = async () => {
      for (let query = waiting.shift(); query; query = waiting.shift()) {
        await refresh(query);
        setLeft((count) => count - 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work)).catch(showError);
    setLeft(0);
  };

  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} />}
      disabled={queries.length === 0}
      loading={left > 0}
      onClick={() => void refreshAll()}
    >
      Refresh
    </Button>
  );
}
