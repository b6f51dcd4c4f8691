// Equal questions that are asked at the same time are computed once.

interface Flight<T> {
  promise: Promise<T>;
  stop: AbortController;
  waiting: number;
}

export class Flights<T> {
  readonly #flights = new Map<string, Flight<T>>();

  /** Joins the one under way, or begins one. It is stopped when the last of those who wait for it has left. */
  join(key: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const flight = this.#flights.get(key) ?? this.#begin(key, begin);
    flight.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        flight.waiting -= 1;
        if (flight.waiting === 0) {
          this.#forget(key, flight);
          flight.stop.abort(signal.reason);
        }
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      flight.promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  #begin(key: string, begin: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const stop = new AbortController();
    const flight: Flight<T> = { stop, waiting: 0, promise: begin(stop.signal) };
    this.#flights.set(key, flight);
    const forget = () => this.#forget(key, flight);
    flight.promise.then(forget, forget);
    return flight;
  }

  #forget(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
