// What the program and its engine tell each other.

export type ToChild =
  | { type: 'start'; folder: string; password: string; queryMemoryBytes: number; querySeconds: number }
  | { type: 'stop' };

export type FromChild = { type: 'ready'; port: number };
