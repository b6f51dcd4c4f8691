// What the benchmark uses of a package that comes without types.
declare module 'autocannon' {
  interface Options {
    url: string;
    connections: number;
    duration: number;
    /** Requests a second, over all connections; as many as possible unless given. */
    overallRate?: number;
    requests?: readonly object[];
    /** Called for each connection before it is used. */
    setupClient?(client: { setRequests(requests: readonly object[]): void }): void;
  }
  interface Result {
    requests: { average: number; total: number };
    latency: { p99: number };
    non2xx: number;
    errors: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
