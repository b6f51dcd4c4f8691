// In a layer: whatever the app says itself goes first, in whichever order the sheets arrive.
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './styles/app.css';
import './styles/print.css';
import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { removeDrawing } from './api/ahead.ts';
import { queryClient } from './api/query-client.ts';
import { colorSchemeManager } from './color-scheme.ts';
import { router } from './router.tsx';
import { styleNonce } from './style-nonce.ts';
import { theme } from './theme.ts';

const DASHBOARD = /\/dashboards\/\d+$/;

// A dashboard takes the place of its drawing itself; wherever else the way led, there is nothing to wait for.
router.subscribe('onRendered', ({ toLocation }) => {
  if (!DASHBOARD.test(toLocation.pathname)) removeDrawing();
});

createRoot(document.getElementById('root') as HTMLElement).render(
  <MantineProvider
    theme={theme}
    defaultColorScheme="auto"
    colorSchemeManager={colorSchemeManager}
    getStyleNonce={() => styleNonce}
  >
    <QueryClientProvider client={queryClient}>
      <ModalsProvider>
        <Notifications position="bottom-right" limit={4} />
        <RouterProvider router={router} />
      </ModalsProvider>
    </QueryClientProvider>
  </MantineProvider>,
);
