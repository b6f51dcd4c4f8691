// How the embedded server is set up: safe on disk, small in memory, silent on the network.
import { PORT } from './socket-folder.ts';

/**
 * Given on the command line, so that they hold for clusters made by earlier versions too. Memory was measured with
 * them: about 10 MB (PSS) at idle and 2 to 5 MB a connection, against 27 MB at idle with the defaults.
 */
export const serverSettings = (socketFolder: string): Record<string, string> => ({
  // Only through the socket, and only for the user that may also read the files.
  listen_addresses: '',
  port: String(PORT),
  unix_socket_directories: quoted(socketFolder),
  unix_socket_permissions: '0700',

  // What was acknowledged survives a power cut.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',

  // One program with a pool, and the tests; no replicas, no parallel plans, no background readers.
  max_connections: '50',
  superuser_reserved_connections: '1',
  shared_buffers: '64MB',
  huge_pages: 'off',
  jit: 'off',
  io_method: 'sync',
  max_worker_processes: '1',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  autovacuum_max_workers: '2',
  autovacuum_worker_slots: '2',
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '32MB',
  max_wal_size: '512MB',

  TimeZone: 'UTC',

  // To standard error, from where forwardLog takes them: without a prefix, and without the statements of our users.
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_error_statement: 'panic',
  lc_messages: 'C',
});

/** A list of folders is split at commas unless they are quoted. */
const quoted = (folder: string) => `"${folder.replaceAll('"', '""')}"`;
