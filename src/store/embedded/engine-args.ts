// How the engine is sized. It starts with the settings of a server that has the machine to itself; Tenrec shares it.
import type { EngineOptions } from './engine.ts';

const MB = 1024 * 1024;

export function engineArgs(_options: Pick<EngineOptions, 'queryMemoryBytes'>): string[] {
  return [`--mark_cache_size=${64 * MB}`];
}
