/** A request that cannot be taken in. Its message is for the sender; the routes turn it into an answer. */
export class CaptureError extends Error {
  readonly status: 400 | 401 | 413;
  readonly code: CaptureErrorCode;

  constructor(status: 400 | 401 | 413, code: CaptureErrorCode, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export type CaptureErrorCode =
  | 'no_data'
  | 'invalid_payload'
  | 'request_too_large'
  | 'missing_api_key'
  | 'inconsistent_api_key'
  | 'invalid_api_key'
  | TokenFault;

/** What is wrong with the shape of a project key. */
export type TokenFault = 'not_string' | 'empty' | 'too_long' | 'not_ascii' | 'personal_api_key' | 'null_byte';

export const noData = () => new CaptureError(400, 'no_data', 'request missing data payload');
export const undecodable = (why: string) =>
  new CaptureError(400, 'invalid_payload', `failed to decode request: ${why}`);
export const unparsable = (why: string) => new CaptureError(400, 'invalid_payload', `failed to parse request: ${why}`);
export const unusable = (what: string) => new CaptureError(400, 'invalid_payload', what);
export const tooLarge = (detail: string) =>
  new CaptureError(413, 'request_too_large', `maximum event size exceeded: ${detail}`);
export const missingToken = () => new CaptureError(401, 'missing_api_key', 'event submitted without an api_key');
export const inconsistentTokens = () =>
  new CaptureError(401, 'inconsistent_api_key', 'batch submitted with inconsistent api_key values');
export const invalidToken = (fault: TokenFault) => new CaptureError(401, fault, `API key is not valid: ${fault}`);
