import { DestinationError } from '../destination.ts';

/** What the file system said, in words; whether it can pass by itself. */
const MEANINGS: Readonly<Record<string, { kind: string; text: string; final: boolean }>> = {
  EACCES: { kind: 'PermissionDenied', text: 'The server may not write to the folder for exported files', final: true },
  EPERM: { kind: 'PermissionDenied', text: 'The server may not write to the folder for exported files', final: true },
  EROFS: { kind: 'PermissionDenied', text: 'The folder for exported files cannot be written to', final: true },
  ENOTDIR: { kind: 'InvalidPrefix', text: 'A part of the prefix is the name of a file, not of a folder', final: true },
  EEXIST: { kind: 'InvalidPrefix', text: 'A part of the prefix is the name of a file, not of a folder', final: true },
  EISDIR: { kind: 'InvalidPrefix', text: 'The name of a file is the name of a folder already', final: true },
  ENAMETOOLONG: { kind: 'InvalidPrefix', text: 'The prefix is too long for the name of a file', final: true },
  // Room can be made without changing the export, and then the rows must not be missing.
  ENOSPC: { kind: 'DiskFull', text: 'The disk with the folder for exported files is full', final: false },
  EDQUOT: { kind: 'DiskFull', text: 'The quota of the folder for exported files is used up', final: false },
};

export function toFileError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DestinationError) return error;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  // Other errors pass through: the event store failed, or the run was cancelled.
  if (!syscall || !error.message.startsWith(code)) return error;
  const meaning = MEANINGS[code] ?? { kind: 'FileError', text: 'A file could not be written', final: false };
  return new DestinationError(meaning.kind, `${meaning.text} (${code}).`, { final: meaning.final, cause: error });
}
