// From a request to the answers of its flags: select, look up what is stored, evaluate, remember what was hashed.
import type { IncomingHttpHeaders } from 'node:http';
import type { Pool } from 'pg';
import { clientAddress } from '../capture/client-address.ts';
import type { Place } from '../pipeline/geoip-properties.ts';
import type { Logger } from '../platform/logger.ts';
import { findDecision, keepDecision } from './decisions.ts';
import type { ProjectFlags } from './definitions.ts';
import { type Evaluation, evaluateFlags, withDependencies } from './evaluation/evaluate.ts';
import type { Needs, PreparedFlag } from './evaluation/prepare.ts';
import { type Properties, PropertyLayers } from './evaluation/properties.ts';
import type { GroupSubject, Subject } from './evaluation/subject.ts';
import { isObject } from './evaluation/values.ts';
import type { FlagRequest } from './request.ts';
import { selectFlags } from './select-flags.ts';
import { insertHashKeys, type PersonFacts, type PersonQuestion, type StoredFacts } from './stored-facts.ts';

export interface DecideParts {
  pool: Pool;
  facts: StoredFacts;
  /** Where an address is; undefined without a city database. */
  findPlace: ((address: string) => Place | undefined) | undefined;
  log: Logger;
}

export interface Sender {
  headers: IncomingHttpHeaders;
  socketAddress: string | undefined;
}

/** A promise only when something has to be waited for, which is seldom. */
export function decideFlags(
  project: ProjectFlags,
  request: FlagRequest & { distinct_id: string },
  sender: Sender,
  parts: DecideParts,
): Promise<Evaluation> | Evaluation {
  const { prepared } = project;
  const wanted = selectFlags(prepared.flags, request, sender.headers);
  const isAll = wanted === prepared.flags;
  const flags = isAll ? prepared.flags : withDependencies(prepared, wanted);
  const needs = needsOf(flags);
  const said = saidAbout(request, geoipProperties(needs, request, sender, parts));
  const asked: Asked = { project, request, needs, said };

  // All that has to be asked for is asked for at once.
  const groups = groupsOf(asked, parts.facts);
  const visitor = visitorOf(asked, parts.facts);
  const isNeeded = isPersonNeeded(asked);
  const stored = isNeeded ? parts.facts.person(personQuestion(asked)) : NOTHING_STORED;
  // Whoever comes again gets what was decided before, when all that decides is what is stored about them.
  const isKept = isAll && isNeeded && groups === NO_GROUPS && isOnlyStored(asked);

  const decide = (person: PersonFacts | undefined) =>
    (isKept && person && findDecision(project, person)) ||
    decideAnew(asked, { flags, wanted, isKept }, { person, groups, visitor }, parts);
  return stored instanceof Promise ? stored.then(decide) : decide(stored);
}

interface Wanted {
  /** All that are evaluated, and those of them that are answered. */
  flags: readonly PreparedFlag[];
  wanted: readonly PreparedFlag[];
  /** Whether what is decided holds until the person or the definitions change. */
  isKept: boolean;
}

interface Known {
  person: PersonFacts | undefined;
  groups: Promise<Groups> | Groups;
  /** The one whom this request identifies. */
  visitor: Promise<PersonFacts | undefined> | PersonFacts;
}

async function decideAnew(
  asked: Asked,
  { flags, wanted, isKept }: Wanted,
  { person, groups, visitor }: Known,
  parts: DecideParts,
): Promise<Evaluation> {
  const { project, request, needs, said } = asked;
  const hashKeys = needs.hashKeys
    ? await hashKeysOf(asked, flags, { stored: person, visitor: await visitor }, parts)
    : person?.hashKeys;
  const subject: Subject = {
    distinct_id: request.distinct_id,
    anon_distinct_id: request.anon_distinct_id,
    device_id: request.device_id,
    nowMs: Date.now(),
    groups: await groups,
    person: new PropertyLayers([...said, person?.properties], person !== undefined),
    cohorts: person?.cohorts,
    hashKeys,
  };
  const evaluation = wanted === flags ? evaluateFlags(flags, subject) : evaluateSome(flags, new Set(wanted), subject);
  if (isKept && person) keepDecision(project, person, evaluation);
  return evaluation;
}

const evaluateSome = (flags: readonly PreparedFlag[], wanted: ReadonlySet<PreparedFlag>, subject: Subject) =>
  evaluateFlags(flags, subject, (flag) => wanted.has(flag));

/** A request beside what its flags look at. */
interface Asked {
  project: ProjectFlags;
  request: FlagRequest & { distinct_id: string };
  needs: Needs;
  /** What the request says about its person; the first layer that has a key decides. */
  said: readonly Properties[];
}

interface AllNeeds extends Needs {
  /** Whether any looks at where the request comes from. */
  readonly geoip: boolean;
}

const knownNeeds = new WeakMap<readonly PreparedFlag[], AllNeeds>();

/** What all these flags need together; for the flags of a whole project it is worked out once. */
function needsOf(flags: readonly PreparedFlag[]): AllNeeds {
  let needs = knownNeeds.get(flags);
  if (!needs) {
    const personKeys = new Set(flags.flatMap((flag) => [...flag.needs.personKeys]));
    needs = {
      personKeys,
      geoip: GEOIP_NAMES.some((name) => personKeys.has(`$geoip_${name}`)),
      groupTypes: new Set(flags.flatMap((flag) => [...flag.needs.groupTypes])),
      groupKeys: new Set(flags.flatMap((flag) => [...flag.needs.groupKeys])),
      membership: flags.some((flag) => flag.needs.membership),
      hashKeys: flags.some((flag) => flag.needs.hashKeys),
      deviceId: flags.some((flag) => flag.needs.deviceId),
    };
    knownNeeds.set(flags, needs);
  }
  return needs;
}

const GEOIP_NAMES = [
  'city_name',
  'country_name',
  'country_code',
  'continent_name',
  'continent_code',
  'postal_code',
  'time_zone',
] as const;

function geoipProperties(
  { geoip }: AllNeeds,
  { isGeoipDisabled }: FlagRequest,
  { headers, socketAddress }: Sender,
  { findPlace }: DecideParts,
): Properties {
  if (!geoip || isGeoipDisabled || !findPlace) return {};
  const address = clientAddress(headers, socketAddress);
  const isPrivate = !address || address === '127.0.0.1' || address.startsWith('192.168.');
  const place = isPrivate ? undefined : findPlace(address);
  if (!place) return {};
  return Object.fromEntries(
    GEOIP_NAMES.flatMap((name) => (place[name] === null ? [] : [[`$geoip_${name}`, place[name]]])),
  );
}

const NOTHING_STORED: PersonFacts = { properties: undefined, cohorts: new Set(), hashKeys: new Map() };

type Groups = ReadonlyMap<number, GroupSubject>;
const NO_GROUPS: Groups = new Map();

const saidAbout = ({ distinct_id, person_properties }: Asked['request'], geoip: Properties): Properties[] => [
  person_properties,
  geoip,
  { distinct_id },
];

const isSaid = (said: readonly Properties[], key: string) => said.some((layer) => Object.hasOwn(layer, key));

/** What the request says comes before what is stored. Nothing is looked up that would not be looked at. */
function isPersonNeeded({ needs, said }: Asked): boolean {
  if (needs.membership || needs.hashKeys) return true;
  for (const key of needs.personKeys) if (!isSaid(said, key)) return true;
  return false;
}

const personQuestion = ({ project, request, needs }: Asked): PersonQuestion => ({
  team_id: project.team_id,
  settings: project.settings,
  distinct_id: request.distinct_id,
  membership: needs.membership,
  hashKeys: needs.hashKeys,
});

/** Whether nothing that the request says is looked at, but whom it is about. */
function isOnlyStored({ needs, request, said: [person_properties, geoip] }: Asked): boolean {
  if (needs.hashKeys || (needs.deviceId && request.device_id !== undefined)) return false;
  for (const key in person_properties) if (needs.personKeys.has(key)) return false;
  for (const _ in geoip) return false;
  return true;
}

function groupsOf(asked: Asked, facts: StoredFacts): Promise<Groups> | Groups {
  const { request, needs } = asked;
  return request.groups.size === 0 || needs.groupTypes.size === 0 ? NO_GROUPS : readGroups(asked, facts);
}

async function readGroups({ project, request, needs }: Asked, facts: StoredFacts): Promise<Groups> {
  const { team_id, settings, groupTypes } = project;
  const named: [number, GroupSubject][] = [];
  for (const [type, key] of request.groups) {
    const group_type_index = groupTypes.get(type);
    if (group_type_index === undefined || !needs.groupTypes.has(group_type_index)) continue;
    const given = request.group_properties[type];
    const said: Properties[] = [{ $group_key: key }, isObject(given) ? given : {}];
    const isNeeded = ![...needs.groupKeys].every((name) => isSaid(said, name));
    const question = { team_id, settings, group_type: type, group_type_index, group_key: key };
    const stored = isNeeded ? await facts.group(question) : { properties: {} };
    const properties = new PropertyLayers([...said, stored?.properties], stored !== undefined);
    named.push([group_type_index, { key, properties }]);
  }
  return new Map(named);
}

/** What is stored about the visitor whom this request identifies, when that matters. */
const visitorOf = (asked: Asked, facts: StoredFacts) =>
  asked.needs.hashKeys && asked.request.anon_distinct_id !== undefined
    ? facts.person({ ...personQuestion(asked), membership: false, distinct_id: asked.request.anon_distinct_id })
    : NOTHING_STORED;

/** Which id was hashed for each flag, for the person and for the visitor they were; undefined when that is not known. */
async function hashKeysOf(
  { project, request }: Asked,
  flags: readonly PreparedFlag[],
  { stored, visitor }: { stored: PersonFacts | undefined; visitor: PersonFacts | undefined },
  parts: DecideParts,
): Promise<ReadonlyMap<string, string> | undefined> {
  const known = stored && visitor && new Map([...visitor.hashKeys, ...stored.hashKeys]);
  if (known) await keepHashKeys(project, request, flags, known, parts);
  return known;
}

/** From the request that identifies a visitor on, flags that promise it go by the visitor's id. */
async function keepHashKeys(
  { team_id }: ProjectFlags,
  { distinct_id, anon_distinct_id }: Asked['request'],
  flags: readonly PreparedFlag[],
  known: ReadonlyMap<string, string>,
  { pool, log }: DecideParts,
): Promise<void> {
  if (anon_distinct_id === undefined) return;
  const missing = flags
    .filter(({ keepsExperience, definition }) => keepsExperience && !known.has(definition.key))
    .map(({ definition }) => definition.key);
  if (missing.length === 0) return;
  // This answer goes by the visitor's id anyway; should the note be lost, the SDK sends that id again.
  await insertHashKeys(pool, { team_id, distinct_id, hash_key: anon_distinct_id }, missing).catch((error) =>
    log.warn({ err: error }, 'could not keep which id a flag went by'),
  );
}
