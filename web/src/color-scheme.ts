// Light or dark, as somebody chose it. Kept in a cookie, because the server has to know it for the first frame of a page
// (src/web/page.ts), and because a browser takes 40 ms to open the storage that it keeps for scripts.
import { isMantineColorScheme, type MantineColorScheme, type MantineColorSchemeManager } from '@mantine/core';
import { readCookie } from './api/cookies.ts';

const NAME = 'tenrec_theme';
const YEAR_SECONDS = 31_536_000;

function keep(value: MantineColorScheme | '', seconds: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the other way is not in every browser yet
  document.cookie = `${NAME}=${value}; path=/; max-age=${seconds}; samesite=lax`;
}

export const colorSchemeManager: MantineColorSchemeManager = {
  get(fallback) {
    const chosen = readCookie(NAME);
    return isMantineColorScheme(chosen) ? chosen : fallback;
  },
  set: (value) => keep(value, YEAR_SECONDS),
  clear: () => keep('', 0),
  // Other windows show it when they are opened next.
  subscribe: () => {},
  unsubscribe: () => {},
};
