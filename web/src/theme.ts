// Colours, letters and spacing, once. The palette is the hedgehog's cousin's: warm greys and burnt orange.
import { createTheme, type MantineColorsTuple } from '@mantine/core';

const ember: MantineColorsTuple = [
  '#fdf1e7',
  '#f8e0cd',
  '#efbf99',
  '#e69c62',
  '#de7e36',
  '#d96b1b',
  '#c75d13',
  '#a94e0f',
  '#8f420c',
  '#723207',
];

export const theme = createTheme({
  primaryColor: 'ember',
  // Dark enough for white letters on it, and light enough for itself on a dark ground.
  primaryShade: { light: 7, dark: 7 },
  colors: { ember },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  headings: { fontWeight: '650' },
  // Buttons that are only a sign are named for those who do not see it, and reached by those who use no mouse.
  components: {
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    PasswordInput: {
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show the password', tabIndex: 0 } },
    },
  },
});
