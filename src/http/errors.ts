// Every failure that a caller is meant to see, as one class and a catalogue of makers.

export type ErrorType =
  | 'authentication_error'
  | 'invalid_request'
  | 'validation_error'
  | 'throttled_error'
  | 'server_error';

/** A failure meant for the caller. Anything else that is thrown is a bug and becomes a bare 500. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: ErrorType;
  readonly code: string;
  readonly attr: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    type: ErrorType,
    code: string,
    detail: string,
    attr: string | null = null,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.status = status;
    this.type = type;
    this.code = code;
    this.attr = attr;
    this.headers = headers;
  }

  toJSON() {
    return { type: this.type, code: this.code, detail: this.message, attr: this.attr };
  }
}

// 401: who are you?

export const notAuthenticated = () =>
  new ApiError(401, 'authentication_error', 'not_authenticated', 'Authentication credentials were not provided.');

export const authenticationFailed = (detail = 'Incorrect authentication credentials.') =>
  new ApiError(401, 'authentication_error', 'authentication_failed', detail);

// 403: you may not.

export const permissionDenied = (
  detail = 'You do not have permission to perform this action.',
  code = 'permission_denied',
) => new ApiError(403, 'authentication_error', code, detail);

export const scopeMissing = (scope: string) => permissionDenied(`API key missing required scope '${scope}'`);

export const keysNotSupported = () => permissionDenied('This action does not support personal API key access');

// 404, 405, 406, 413, 415: the request itself does not fit.

export const notFound = (detail = 'Not found.') => new ApiError(404, 'invalid_request', 'not_found', detail);

export const methodNotAllowed = (method: string, allowed: readonly string[]) =>
  new ApiError(405, 'invalid_request', 'method_not_allowed', `Method "${method}" not allowed.`, null, {
    allow: allowed.join(', '),
  });

export const notAcceptable = () =>
  new ApiError(406, 'invalid_request', 'not_acceptable', 'Could not satisfy the request Accept header.');

export const bodyTooLarge = (bytesMax: number) =>
  new ApiError(413, 'invalid_request', 'request_too_large', `The request body is larger than ${bytesMax} bytes.`);

export const unsupportedMediaType = (mediaType: string) =>
  new ApiError(415, 'invalid_request', 'unsupported_media_type', `Unsupported media type "${mediaType}" in request.`);

export const parseError = (detail: string) => new ApiError(400, 'invalid_request', 'parse_error', detail);

export const badRequest = (detail: string) => new ApiError(400, 'invalid_request', 'invalid_input', detail);

// 400: a value does not fit.

export const invalid = (detail: string, attr: string | null = null, code = 'invalid_input') =>
  new ApiError(400, 'validation_error', code, detail, attr);

export const fieldRequired = (attr: string) => invalid('This field is required.', attr, 'required');

// Others.

export const conflict = (detail: string) => new ApiError(409, 'server_error', 'conflict', detail);

export const throttled = (waitSeconds: number) =>
  new ApiError(
    429,
    'throttled_error',
    'throttled',
    `Request was throttled. Expected available in ${waitSeconds} second${waitSeconds === 1 ? '' : 's'}.`,
    null,
    { 'retry-after': String(waitSeconds) },
  );

/** Nobody hears it; it tells whoever reads the log that nothing went wrong here. */
export const clientLeft = () =>
  new ApiError(499, 'server_error', 'client_left', 'The client closed the connection before it was answered.');

export const serverError = () => new ApiError(500, 'server_error', 'error', 'A server error occurred.');

export const serviceUnavailable = (detail: string) =>
  new ApiError(503, 'server_error', 'service_unavailable', detail, null, { 'retry-after': '1' });
