// How long requests took, as a histogram for Prometheus. The library's own joins and hashes the labels of every request,
// which costs a small answer a twentieth of its time.

const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** The answers of one route to one method with one status. */
interface Series {
  readonly method: string;
  readonly status: number;
  /** How many took at most each bound and more than the one before it; the last ones took longer than any. */
  readonly counts: number[];
  seconds: number;
}

interface PrintedValue {
  metricName: string;
  labels: Record<string, string | number>;
  value: number;
}

export class RequestDurations {
  readonly name = 'tenrec_http_request_duration_seconds';
  readonly #routes = new Map<string, Series[]>();

  observe(method: string, route: string, status: number, seconds: number): void {
    const series = this.#find(method, route, status);
    let bound = 0;
    while (bound < BOUNDS_SECONDS.length && seconds > BOUNDS_SECONDS[bound]!) bound += 1;
    series.counts[bound]! += 1;
    series.seconds += seconds;
  }

  /** What a registry prints. */
  async get() {
    const values = [...this.#routes].flatMap(([route, all]) => all.flatMap((series) => this.#print(route, series)));
    return { name: this.name, help: 'Time to answer a request, by route.', type: 'histogram', values };
  }

  #find(method: string, route: string, status: number): Series {
    const all = this.#routes.get(route) ?? [];
    const known = all.find((each) => each.status === status && each.method === method);
    if (known) return known;
    const series = { method, status, counts: Array<number>(BOUNDS_SECONDS.length + 1).fill(0), seconds: 0 };
    this.#routes.set(route, [...all, series]);
    return series;
  }

  #print(route: string, { method, status, counts, seconds }: Series): PrintedValue[] {
    const labels = { method, route, status: String(status) };
    let count = 0;
    const buckets = counts.map((each, bound) => {
      count += each;
      const le = BOUNDS_SECONDS[bound] ?? '+Inf';
      return { metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: count };
    });
    const sum = { metricName: `${this.name}_sum`, labels, value: seconds };
    return [...buckets, sum, { metricName: `${this.name}_count`, labels, value: count }];
  }
}
