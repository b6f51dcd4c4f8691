// Which test files share a process. Loading the program costs more than most files do, so those of one area load it once,
// and their tests run one after the other.

export interface Job {
  name: string;
  files: string[];
}

/** Begun first, because they take longest; everything else fits in beside them. */
const LONG = [
  'test/web',
  'test/sdk',
  'test/journeys/cli',
  'test/journeys/exports',
  'src/exports',
  'test/journeys',
  'test/journeys/flags',
  'src/metadata',
  'src/store',
  'test/journeys/dashboards',
  'src/query',
  'src/pipeline',
];

/** Journeys that weigh a process, time its answers or start many have one to themselves. */
const ALONE = ['back-pressure', 'cli', 'crash', 'hostile', 'nothing-lost', 'pipeline-crash', 'places', 'query-hostile'];

/** The other journeys go by the first word of their name, when several have it. */
const AREAS = ['dashboards', 'exports', 'flags', 'query', 'reading'];

export function planJobs(files: readonly string[]): Job[] {
  const jobs = Object.entries(Object.groupBy(files, jobOf)).map(([name, files = []]) => ({ name, files }));
  const rank = (name: string) => (LONG.includes(name) ? LONG.indexOf(name) : LONG.length);
  return jobs.sort((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name));
}

function jobOf(file: string): string {
  // A rule without engines is quick wherever it lives.
  if (!file.startsWith('test/') && !/\.(?:db|fuzz)\.test\.ts$/.test(file)) return 'rules';
  const [top, area, ...rest] = file.split('/');
  if (rest.length === 0) return 'rules';
  return area === 'journeys' ? jobOfJourney(rest.join('/')) : `${top}/${area}`;
}

function jobOfJourney(file: string): string {
  const name = file.replace('.test.ts', '');
  const area = ALONE.includes(name) ? name : AREAS.find((each) => name.split('-')[0] === each);
  return area ? `test/journeys/${area}` : 'test/journeys';
}
