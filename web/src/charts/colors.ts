// Colours that stay apart from each other, on a light and on a dark ground.
const PALETTE = [
  '#d96b1b',
  '#2b7fc4',
  '#2f9e6e',
  '#a05bd0',
  '#c94f7c',
  '#8a7a1f',
  '#1f9aa8',
  '#6b6fd6',
  '#b5542a',
  '#5c8a3a',
];

export const colorAt = (index: number): string => PALETTE[index % PALETTE.length] ?? '#888888';

export const LIFECYCLE_COLORS: Readonly<Record<string, string>> = {
  new: '#2b7fc4',
  returning: '#2f9e6e',
  resurrecting: '#a05bd0',
  dormant: '#d96b1b',
};

/** What a tile may be painted with; the names are the API's. */
export const TILE_COLORS: Readonly<Record<string, string>> = {
  white: 'transparent',
  blue: '#2b7fc4',
  green: '#2f9e6e',
  purple: '#a05bd0',
  black: '#555555',
};

/** At its deepest still light (or dark) enough for the letters on it. */
const DEPTH_MAX = 55;

/** The more, the deeper: a ground for letters, from a share of 0 to 1. */
export const depthColor = (share: number) =>
  `color-mix(in srgb, ${colorAt(0)} ${Math.round(share * DEPTH_MAX)}%, transparent)`;
