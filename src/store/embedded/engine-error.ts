// Failures in ClickHouse's own words: a code, a name and a text that clients of ClickHouse know how to read.

export class EngineError extends Error {
  readonly code: number;

  constructor(code: number, text: string) {
    super(text);
    this.code = code;
  }
}

/** A failure of our own making, worded as ClickHouse would. */
export function refusal(code: number, type: string, message: string): EngineError {
  return new EngineError(code, `Code: ${code}. DB::Exception: ${message} (${type})`);
}

/** What chDB threw, as a failure of ClickHouse: its messages already have the form `Code: 62. DB::Exception: …`. */
export function toEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = /^Code: (\d+)\. /.exec(message)?.[1];
  return code ? new EngineError(Number(code), message.trim()) : refusal(1002, 'UNKNOWN_EXCEPTION', message);
}

const STATUS_BY_CODE: Readonly<Record<number, number>> = {
  // UNKNOWN_FUNCTION, UNKNOWN_IDENTIFIER, UNKNOWN_TYPE, UNKNOWN_STORAGE, UNKNOWN_TABLE, UNKNOWN_DATABASE, UNKNOWN_SETTING
  46: 404,
  47: 404,
  50: 404,
  56: 404,
  60: 404,
  81: 404,
  115: 404,
  // NOT_IMPLEMENTED
  48: 501,
  // TIMEOUT_EXCEEDED, QUERY_WAS_CANCELLED
  159: 500,
  394: 500,
  // QUERY_IS_TOO_LARGE
  177: 413,
  // TOO_MANY_SIMULTANEOUS_QUERIES
  202: 503,
  // REQUIRED_PASSWORD, AUTHENTICATION_FAILED
  194: 401,
  516: 403,
  // CANNOT_SCHEDULE_TASK, MEMORY_LIMIT_EXCEEDED, ABORTED, UNKNOWN_EXCEPTION
  439: 500,
  241: 500,
  236: 500,
  1002: 500,
};

/** ClickHouse's choice of HTTP status: what the caller wrote is a 4xx, what happened to the server a 5xx. */
export function httpStatus(error: EngineError): number {
  return STATUS_BY_CODE[error.code] ?? 400;
}

/**
 * The end of a response that broke off after its first bytes. A client that knows the tag from the
 * `X-ClickHouse-Exception-Tag` header finds the failure by looking at the last bytes.
 */
export function exceptionBlock(error: EngineError, tag: string): Buffer {
  const text = Buffer.from(`${error.message}\n`);
  return Buffer.concat([
    Buffer.from(`\r\n__exception__\r\n${tag}\r\n`),
    text,
    Buffer.from(`${text.length} ${tag}\r\n__exception__\r\n`),
  ]);
}
