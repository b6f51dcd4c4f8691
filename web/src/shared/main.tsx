// What everyone with a link sees: one dashboard or insight, without the rest of the app.
import '@mantine/core/styles.layer.css';
import '../styles/app.css';
import '../styles/print.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { styleNonce } from '../style-nonce.ts';
import { theme } from '../theme.ts';
import { SharedPage } from './SharedPage.tsx';

createRoot(document.getElementById('root') as HTMLElement).render(
  <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
    <QueryClientProvider client={new QueryClient()}>
      <SharedPage />
    </QueryClientProvider>
  </MantineProvider>,
);
