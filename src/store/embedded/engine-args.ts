// How the engine is sized. Left alone it takes a server's measure: 90 % of the machine, and caches of 5 GB each.
// At idle none of this matters: of some 250 MB, 200 MB are the engine's own code, mapped from its file.

const MB = 1024 * 1024;

/** Two of the largest queries fit at once; beyond that a group-by or sort goes to the disk, and the rest is refused. */
const QUERIES_IN_MEMORY = 2;

export function engineArgs(queryMemoryBytes: number): string[] {
  const sizes = {
    max_server_memory_usage: queryMemoryBytes * QUERIES_IN_MEMORY,
    // Chosen to be small beside the memory of one query; not yet measured on a large table.
    mark_cache_size: 64 * MB,
    primary_index_cache_size: 64 * MB,
    index_mark_cache_size: 16 * MB,
    // Compiled expressions are kept with the machine code they were compiled to.
    compiled_expression_cache_size: 16 * MB,
    // Threads that a burst of queries has left idle.
    max_thread_pool_free_size: 8,
  };
  return Object.entries(sizes).map(([name, value]) => `--${name}=${value}`);
}
