// How many statements run at once. Apart, for the parent must know it before it starts the child.

/** Reads are many, since a result that is fetched slowly keeps its lane: an export may take minutes. */
export const READ_LANES = { lanesMax: 16, waitingMax: 256, waitMs: 15_000 };
/** Inserts have lanes of their own: no number of long queries keeps them waiting. */
export const INSERT_LANES = { lanesMax: 4, waitingMax: 64, waitMs: 30_000 };
/** Kills queue for the one session that does nothing else. */
export const KILL_LANES = { lanesMax: 1, waitingMax: READ_LANES.lanesMax, waitMs: 60_000 };

const SPARE_THREADS = 4;
/** Every running statement holds a thread of libuv's pool; files and compression need some too. */
export const THREAD_POOL_SIZE = READ_LANES.lanesMax + INSERT_LANES.lanesMax + KILL_LANES.lanesMax + SPARE_THREADS;
