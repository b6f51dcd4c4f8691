// In which pieces rows go through a statement.

/**
 * Ends a statement that collects what each actor did and then works on it. The engine hands groups on in blocks, each to
 * one core; in blocks of its usual size, all the actors of a project would often be a single one.
 */
export const IN_SMALL_BLOCKS = 'SETTINGS max_block_size = 16384';
