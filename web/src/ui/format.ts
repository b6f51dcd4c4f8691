// Numbers and times as the reader's language writes them.

/** Made when it is first used: a browser takes 20 ms to look up how its language writes numbers. */
function perLocale<Format>(make: (locale?: string) => Format): (locale?: string) => Format {
  const made = new Map<string | undefined, Format>();
  return (locale) => {
    const known = made.get(locale) ?? make(locale);
    made.set(locale, known);
    return known;
  };
}

const numbers = perLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }));
const compactNumbers = perLocale(
  (locale) => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }),
);
const percents = perLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }));

export const formatNumber = (value: number, locale?: string) => numbers(locale).format(value);
/** `12K`: for axes and narrow places. */
export const formatCompact = (value: number, locale?: string) => compactNumbers(locale).format(value);
/** From a share, 0 to 1. */
export const formatShare = (share: number, locale?: string) => percents(locale).format(share);

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export function formatBytes(bytes: number): string {
  const step = Math.min(BYTE_UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const unit = BYTE_UNITS[step] ?? 'byte';
  const style = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(undefined, style).format(bytes / 1000 ** step);
}

const momentFormats = new Map<string, Intl.DateTimeFormat>();

function momentFormat(timeZone: string, style: 'date' | 'time'): Intl.DateTimeFormat {
  const key = `${timeZone} ${style}`;
  const known = momentFormats.get(key);
  if (known) return known;
  const options: Intl.DateTimeFormatOptions =
    style === 'date'
      ? { timeZone, year: 'numeric', month: 'short', day: 'numeric' }
      : {
          timeZone,
          year: 'numeric',
          month: 'short',
          day: 'numeric',
          hour: '2-digit',
          minute: '2-digit',
          second: '2-digit',
        };
  const format = new Intl.DateTimeFormat(undefined, options);
  momentFormats.set(key, format);
  return format;
}

export const formatDate = (iso: string, timeZone: string) => momentFormat(timeZone, 'date').format(new Date(iso));
export const formatMoment = (iso: string, timeZone: string) => momentFormat(timeZone, 'time').format(new Date(iso));

const AGES: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];
const ages = perLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));

/** `5 minutes ago`. */
export function formatAge(iso: string, nowMs = Date.now(), locale?: string): string {
  const seconds = Math.round((Date.parse(iso) - nowMs) / 1000);
  const [unit, size] = AGES.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return ages(locale).format(Math.trunc(seconds / size), unit);
}

/** `2 h 5 min`: how long something took. */
export function formatDuration(seconds: number): string {
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor((seconds % 86_400) / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'min'],
    [Math.round(seconds % 60), 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return `${formatNumber(seconds)} s`;
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
