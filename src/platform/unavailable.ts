/** One of the services Tenrec stands on does not answer just now; the caller should try again shortly. */
export class Unavailable extends Error {
  readonly service: string;

  constructor(service: string, reason: string, options?: ErrorOptions) {
    super(`${service} is not available: ${reason}`, options);
    this.service = service;
  }
}
