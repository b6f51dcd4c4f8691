import { DestinationError } from '../destination.ts';

/** What PostgreSQL calls an error, and what a person can do about it. All of these stay until someone does. */
const FINAL: Readonly<Record<string, readonly [kind: string, text: string]>> = {
  '28000': ['InvalidAuthorization', 'The database did not let us in. Check `user` and its right to connect'],
  '28P01': ['InvalidPassword', 'The database did not accept the password. Check `user` and `password`'],
  '3D000': ['InvalidCatalogName', 'There is no such database. Check `database`'],
  '3F000': ['InvalidSchemaName', 'There is no such schema. Create it, or check `schema`'],
  '42P01': ['UndefinedTable', 'There is no such table'],
  '42501': ['InsufficientPrivilege', 'The user may not do this in the database'],
  '42703': ['UndefinedColumn', 'The table lacks a column'],
  '42804': ['DatatypeMismatch', 'A column of the table has a type that the values do not fit'],
  '42P10': ['MissingPrimaryKey', 'The table lacks the primary key by which rows are merged'],
  '42809': ['WrongObjectType', 'What bears the name of the table is something else'],
  '428C9': ['GeneratedAlways', 'A column of the table makes its own values'],
  '22001': ['StringDataRightTruncation', 'A value is too long for its column. Give the column the type TEXT'],
  '22003': ['NumericValueOutOfRange', 'A number is too large for its column'],
  '22007': ['InvalidDatetimeFormat', 'A column of the table cannot hold these times'],
  '22P02': ['InvalidTextRepresentation', 'A column of the table has a type that the values do not fit'],
  '22P05': [
    'UntranslatableCharacter',
    'The encoding of the database cannot hold a character. Use a database with UTF8',
  ],
  '22021': [
    'CharacterNotInRepertoire',
    'The encoding of the database cannot hold a character. Use a database with UTF8',
  ],
  '23502': ['NotNullViolation', 'The table demands a value that a row does not have'],
  '23503': ['ForeignKeyViolation', 'The table demands that a row is known to another table'],
  '23505': ['UniqueViolation', 'The table holds a row with the same unique value already'],
  '23514': ['CheckViolation', 'A row breaks a rule of the table'],
  '0A000': ['FeatureNotSupported', 'The database does not know how to do this'],
  '53100': ['DiskFull', 'The disk of the database is full'],
  '54000': ['ProgramLimitExceeded', 'A row is larger than the database allows'],
  '54001': ['StatementTooComplex', 'A value is nested deeper than the database allows'],
  '25006': ['ReadOnlySqlTransaction', 'The database takes no writes. Is it a replica?'],
};

/** Certificates that nobody we know vouches for. */
const CERTIFICATE = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT_)/;

interface DriverError extends Error {
  readonly code?: string;
  readonly detail?: string;
  readonly column?: string;
  readonly severity?: string;
  readonly where?: string;
}

/** What the database or the way to it said. What is neither passes through: the event store failed, or a cancel. */
export function toPostgresError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DestinationError) return error;
  const { code = '', severity, message, detail, where } = error as DriverError;
  // In the middle of a COPY, only the context names the column; the rest of it is somebody's data.
  const column = (error as DriverError).column ?? /column (\S+):/.exec(where ?? '')?.[1];
  const known = FINAL[code];
  const said = [message, column && `column ${column}`, detail].filter(Boolean).join('; ');
  if (known) return new DestinationError(known[0], `${known[1]}. It said: ${said}`, { final: true, cause: error });
  if (CERTIFICATE.test(code)) {
    const text = `The certificate of the database cannot be trusted (${message}). If it is your own, set \`has_self_signed_cert\``;
    return new DestinationError('UntrustedCertificate', text, { final: true, cause: error });
  }
  if (message === NO_TLS) {
    const text = 'The database does not offer an encrypted connection, and events are not sent without one';
    return new DestinationError('EncryptionRequired', text, { final: true, cause: error });
  }
  // The server's own errors have a severity, those of a connection do not.
  if (severity) return new DestinationError('OperationalError', `The database said: ${said} (${code})`, retried(error));
  if (isConnectionError(error)) {
    return new DestinationError(
      'ConnectionError',
      `The connection to the database failed: ${message || code}`,
      retried(error),
    );
  }
  return error;
}

export const NO_TLS = 'The server does not support SSL connections';

const retried = (cause: Error) => ({ final: false, cause });

function isConnectionError({ message, code }: NodeJS.ErrnoException): boolean {
  if (/^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|EPROTO|ERR_SSL|ERR_TLS|EADDR)/.test(code ?? '')) return true;
  return /connection|timeout expired|socket|client was closed|unexpected|stream was destroyed|received invalid/i.test(
    message,
  );
}
