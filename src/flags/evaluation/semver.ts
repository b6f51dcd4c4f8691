// Versions of programs, compared as semantic versioning 2 does; missing parts are zeros.

export interface Version {
  readonly core: readonly [number, number, number];
  /** The parts after the hyphen; empty for a release. */
  readonly prerelease: readonly string[];
}

const VERSION = /^v?(\d{1,15})(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]*)?$/;
const WILDCARD = /^v?(\d{1,15})(?:\.(\d{1,15}))?(?:\.\*)+$/;

export function parseVersion(text: string): Version | undefined {
  const match = VERSION.exec(text.trim());
  if (!match) return undefined;
  const [, major, minor = 0, patch = 0, prerelease] = match;
  return { core: [Number(major), Number(minor), Number(patch)], prerelease: prerelease?.split('.') ?? [] };
}

/** Below zero when `a` is the older. */
export function compareVersions(a: Version, b: Version): number {
  return compareCores(a.core, b.core) || comparePrereleases(a.prerelease, b.prerelease);
}

function compareCores(a: Version['core'], b: Version['core']): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const order = comparePart(a[at]!, b[at]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers come before names, and are compared as numbers. */
function comparePart(a: string, b: string): number {
  const numeric = [/^\d+$/.test(a), /^\d+$/.test(b)] as const;
  if (numeric[0] && numeric[1]) return Number(a) - Number(b);
  if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}

/** From `from` up to, not including, `to`. */
export interface VersionRange {
  readonly from: Version;
  readonly to: Version;
}

const release = (major: number, minor = 0, patch = 0): Version => ({ core: [major, minor, patch], prerelease: [] });

/** `~1.2.3`: the same minor version. */
export function tildeRange(text: string): VersionRange | undefined {
  const from = parseVersion(text);
  return from && { from, to: release(from.core[0], from.core[1] + 1) };
}

/** `^1.2.3`: everything up to the next change of the leftmost part that is not zero. */
export function caretRange(text: string): VersionRange | undefined {
  const from = parseVersion(text);
  if (!from) return undefined;
  const [major, minor, patch] = from.core;
  if (major > 0) return { from, to: release(major + 1) };
  return { from, to: minor > 0 ? release(0, minor + 1) : release(0, 0, patch + 1) };
}

/** `1.*` or `1.2.*`. */
export function wildcardRange(text: string): VersionRange | undefined {
  const match = WILDCARD.exec(text.trim());
  if (!match) return undefined;
  const major = Number(match[1]);
  if (match[2] === undefined) return { from: release(major), to: release(major + 1) };
  const minor = Number(match[2]);
  return { from: release(major, minor), to: release(major, minor + 1) };
}

/** A range never holds a pre-release. */
export function isWithin(version: Version, { from, to }: VersionRange): boolean {
  return version.prerelease.length === 0 && compareVersions(version, from) >= 0 && compareVersions(version, to) < 0;
}
