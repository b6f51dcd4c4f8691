// What a batch was settled with, in the form in which it is recorded until its rows are stored.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { parseExact } from '../capture/exact-json.ts';
import type { RaisedWarning } from './debounce-warnings.ts';
import type { PipelineDropReason } from './drop-reasons.ts';
import type { LeftOut, ProjectBefore } from './settle-batch.ts';

export interface BatchBefore {
  projects: ReadonlyMap<number, ProjectBefore>;
  leftOut: LeftOut;
  /** Not known before, but decided once: which of the warnings are told. */
  warnings: RaisedWarning[];
}

interface Recorded {
  projects: [number, ProjectBefore][];
  leftOut: [string, PipelineDropReason][];
  warnings: RaisedWarning[];
}

/** It is read again only after a crash, and gone within a second otherwise. */
const QUICKLY = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export function encodeBefore({ projects, leftOut, warnings }: BatchBefore): Buffer {
  const recorded: Recorded = { projects: [...projects], leftOut: [...leftOut], warnings };
  return zstdCompressSync(JSON.stringify(recorded), QUICKLY);
}

export function decodeBefore(bytes: Buffer): BatchBefore {
  const { projects, leftOut, warnings } = parseExact(zstdDecompressSync(bytes).toString()) as unknown as Recorded;
  return { projects: new Map(projects), leftOut: new Map(leftOut), warnings };
}
