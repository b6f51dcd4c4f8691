// One filter on one property, made into a test once and asked many times.
import { compilePattern } from '../pattern/compile.ts';
import { type Clock, isRelative, parseMoment } from './dates.ts';
import {
  caretRange,
  compareVersions,
  isWithin,
  parseVersion,
  tildeRange,
  type VersionRange,
  wildcardRange,
} from './semver.ts';
import { isBooleanLike, isTrue, toLowerAscii, toNumber, toText } from './values.ts';

/** Whether a property's value passes; undefined is a property that is not set. */
export type PropertyTest = (value: unknown, nowMs: number) => boolean;

/** The value of a filter → the test of values that are there. */
type MakeTest = (wanted: unknown, timezone: string) => PropertyTest;

interface Operator {
  make: MakeTest;
  /** What a property that is not set means. */
  whenMissing: boolean;
  /** Works without a value in the filter. */
  needsNoValue?: boolean;
}

const never: PropertyTest = () => false;

const matches = (make: MakeTest): Operator => ({ make, whenMissing: false });
/** The opposite of another test, which also passes when the property is not set. */
const opposite = (make: MakeTest): Operator => ({
  make: (wanted, timezone) => {
    const test = make(wanted, timezone);
    return (value, nowMs) => !test(value, nowMs);
  },
  whenMissing: true,
});

const makeExact: MakeTest = (wanted) => {
  if (isBooleanLike(wanted)) {
    const expected = isTrue(wanted);
    return (value) => isTrue(value) === expected;
  }
  if (!Array.isArray(wanted)) {
    const expected = toText(wanted).toLowerCase();
    return (value) => toText(value).toLowerCase() === expected;
  }
  const expected = new Set(wanted.map((one) => toText(one).toLowerCase()));
  return (value) => expected.has(toText(value).toLowerCase());
};

/** Tests on the text form without regard to the case of A to Z. */
const makeTextTest =
  (test: (text: string, wanted: string) => boolean): MakeTest =>
  (wanted) => {
    const expected = toLowerAscii(toText(wanted));
    return (value) => test(toLowerAscii(toText(value)), expected);
  };

const makeContains = makeTextTest((text, wanted) => text.includes(wanted));
const makeStartsWith = makeTextTest((text, wanted) => text.startsWith(wanted));
const makeEndsWith = makeTextTest((text, wanted) => text.endsWith(wanted));

const makeContainsAny: MakeTest = (wanted) => {
  const expected = (Array.isArray(wanted) ? wanted : [wanted]).map((one) => toLowerAscii(toText(one)));
  return (value) => {
    const text = toLowerAscii(toText(value));
    return expected.some((part) => text.includes(part));
  };
};

/** A text that is no pattern, or that would take too long, neither matches nor fails to match. */
const makeRegex =
  (expected: boolean): MakeTest =>
  (wanted) => {
    const pattern = compilePattern(toText(wanted));
    return pattern ? (value) => pattern(toText(value)) === expected : never;
  };

const makeComparison =
  (holds: (value: number, wanted: number) => boolean): MakeTest =>
  (wanted) => {
    const expected = toNumber(wanted);
    if (expected === undefined) return never;
    return (value) => {
      const number = toNumber(value);
      return number !== undefined && holds(number, expected);
    };
  };

const makeBetween =
  (inside: boolean): MakeTest =>
  (wanted) => {
    const [min, max] = Array.isArray(wanted) && wanted.length === 2 ? wanted.map(toNumber) : [];
    if (min === undefined || max === undefined || min > max) return never;
    return (value) => {
      const number = toNumber(value);
      return number !== undefined && (number >= min && number <= max) === inside;
    };
  };

const makeDateTest =
  (holds: (value: number, wanted: number) => boolean): MakeTest =>
  (wanted, timezone) => {
    if (typeof wanted !== 'string') return never;
    // A date so long ago moves with the clock; any other is read once.
    const fixed = isRelative(wanted) ? undefined : parseMoment(wanted, { nowMs: 0, timezone });
    return (value, nowMs) => {
      const clock = { nowMs, timezone };
      const expected = fixed ?? parseMoment(wanted, clock);
      if (expected === undefined) return false;
      const moment = readMoment(value, clock);
      return moment !== undefined && holds(moment, expected);
    };
  };

/** A number is seconds since 1970, also when it is written as text. */
function readMoment(value: unknown, clock: Clock): number | undefined {
  const seconds = toNumber(value);
  if (seconds !== undefined) return seconds * 1000;
  return typeof value === 'string' ? parseMoment(value, clock) : undefined;
}

const makeVersionComparison =
  (holds: (order: number) => boolean): MakeTest =>
  (wanted) => {
    const expected = parseVersion(toText(wanted));
    if (!expected) return never;
    return (value) => {
      const version = parseVersion(toText(value));
      return version !== undefined && holds(compareVersions(version, expected));
    };
  };

const makeVersionRange =
  (read: (text: string) => VersionRange | undefined): MakeTest =>
  (wanted) => {
    const range = read(toText(wanted));
    if (!range) return never;
    return (value) => {
      const version = parseVersion(toText(value));
      return version !== undefined && isWithin(version, range);
    };
  };

const OPERATORS: Readonly<Record<string, Operator>> = {
  exact: matches(makeExact),
  is_not: opposite(makeExact),
  is_set: { make: () => () => true, whenMissing: false, needsNoValue: true },
  is_not_set: { make: () => never, whenMissing: true, needsNoValue: true },
  icontains: matches(makeContains),
  not_icontains: opposite(makeContains),
  icontains_multi: matches(makeContainsAny),
  not_icontains_multi: opposite(makeContainsAny),
  starts_with: matches(makeStartsWith),
  not_starts_with: opposite(makeStartsWith),
  ends_with: matches(makeEndsWith),
  not_ends_with: opposite(makeEndsWith),
  regex: matches(makeRegex(true)),
  not_regex: { make: makeRegex(false), whenMissing: true },
  gt: matches(makeComparison((value, wanted) => value > wanted)),
  gte: matches(makeComparison((value, wanted) => value >= wanted)),
  lt: matches(makeComparison((value, wanted) => value < wanted)),
  lte: matches(makeComparison((value, wanted) => value <= wanted)),
  between: matches(makeBetween(true)),
  not_between: { make: makeBetween(false), whenMissing: true },
  is_date_exact: matches(makeDateTest((value, wanted) => value === wanted)),
  is_date_before: matches(makeDateTest((value, wanted) => value < wanted)),
  is_date_after: matches(makeDateTest((value, wanted) => value > wanted)),
  semver_eq: matches(makeVersionComparison((order) => order === 0)),
  semver_neq: matches(makeVersionComparison((order) => order !== 0)),
  semver_gt: matches(makeVersionComparison((order) => order > 0)),
  semver_gte: matches(makeVersionComparison((order) => order >= 0)),
  semver_lt: matches(makeVersionComparison((order) => order < 0)),
  semver_lte: matches(makeVersionComparison((order) => order <= 0)),
  semver_tilde: matches(makeVersionRange(tildeRange)),
  semver_caret: matches(makeVersionRange(caretRange)),
  semver_wildcard: matches(makeVersionRange(wildcardRange)),
};

/** An operator that nobody knows, and a filter without a value where one is needed, match nothing. */
export function makePropertyTest(operator: unknown, wanted: unknown, timezone: string): PropertyTest {
  const name = operator ?? 'exact';
  const known = typeof name === 'string' && Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (!known) return never;
  if (!known.needsNoValue && (wanted === undefined || wanted === null)) return never;
  const { whenMissing } = known;
  const test = known.make(wanted, timezone);
  return (value, nowMs) => (value === undefined ? whenMissing : test(value, nowMs));
}
