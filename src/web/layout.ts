// Where things are in a build of the app.

/** The digest of its sources; it is there when the build is whole. */
export const STAMP = 'sources.txt';

/** What the server runs, and nobody is served. */
export const SERVER_FOLDER = 'server';
export const DRAWING = `${SERVER_FOLDER}/draw-dashboard.js`;

/** From these on, browsers know `light-dark()`; for older ones it would be rewritten into something that needs more. */
export const CSS_TARGET = ['chrome123', 'firefox120', 'safari17.5'];
