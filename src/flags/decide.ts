// From a request to the answers of its flags: select, look up what is stored, evaluate, remember what was hashed.
import type { IncomingHttpHeaders } from 'node:http';
import type { Pool } from 'pg';
import { clientAddress } from '../capture/client-address.ts';
import type { Place } from '../pipeline/geoip-properties.ts';
import type { Logger } from '../platform/logger.ts';
import type { ProjectFlags } from './definitions.ts';
import { type Evaluation, evaluateFlags, withDependencies } from './evaluation/evaluate.ts';
import type { Needs, PreparedFlag } from './evaluation/prepare.ts';
import { type Properties, PropertyLayers } from './evaluation/properties.ts';
import type { GroupSubject, Subject } from './evaluation/subject.ts';
import { isObject } from './evaluation/values.ts';
import type { FlagRequest } from './request.ts';
import { selectFlags } from './select-flags.ts';
import { insertHashKeys, type PersonFacts, type StoredFacts } from './stored-facts.ts';

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

export async function decideFlags(
  project: ProjectFlags,
  request: FlagRequest & { distinct_id: string },
  sender: Sender,
  parts: DecideParts,
): Promise<Evaluation> {
  const { prepared } = project;
  const wanted = selectFlags(prepared.flags, request, sender.headers);
  const isAll = wanted === prepared.flags;
  const flags = isAll ? prepared.flags : withDependencies(prepared, wanted);
  const needs = needsOf(flags);
  const geoip = geoipProperties(needs, request, sender, parts);

  const [person, groups] = await Promise.all([
    personOf(project, request, needs, geoip, parts.facts),
    groupsOf(project, request, needs, parts.facts),
  ]);
  const subject: Subject = {
    distinct_id: request.distinct_id,
    anon_distinct_id: request.anon_distinct_id,
    device_id: request.device_id,
    nowMs: Date.now(),
    groups,
    ...person,
  };
  if (subject.hashKeys) await keepHashKeys(project, request, flags, subject.hashKeys, parts);
  if (isAll) return evaluateFlags(flags, subject);
  const isWanted = new Set(wanted);
  return evaluateFlags(flags, subject, (flag) => isWanted.has(flag));
}

const knownNeeds = new WeakMap<readonly PreparedFlag[], Needs>();

/** What all these flags need together; for the flags of a whole project it is worked out once. */
function needsOf(flags: readonly PreparedFlag[]): Needs {
  let needs = knownNeeds.get(flags);
  if (!needs) {
    needs = {
      personKeys: new Set(flags.flatMap((flag) => [...flag.needs.personKeys])),
      groupTypes: new Set(flags.flatMap((flag) => [...flag.needs.groupTypes])),
      groupKeys: new Set(flags.flatMap((flag) => [...flag.needs.groupKeys])),
      membership: flags.some((flag) => flag.needs.membership),
      hashKeys: flags.some((flag) => flag.needs.hashKeys),
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
  { personKeys }: Needs,
  { isGeoipDisabled }: FlagRequest,
  { headers, socketAddress }: Sender,
  { findPlace }: DecideParts,
): Properties {
  if (isGeoipDisabled || !findPlace || !GEOIP_NAMES.some((name) => personKeys.has(`$geoip_${name}`))) return {};
  const address = clientAddress(headers, socketAddress);
  const isPrivate = !address || address === '127.0.0.1' || address.startsWith('192.168.');
  const place = isPrivate ? undefined : findPlace(address);
  if (!place) return {};
  return Object.fromEntries(
    GEOIP_NAMES.flatMap((name) => (place[name] === null ? [] : [[`$geoip_${name}`, place[name]]])),
  );
}

type PersonSide = Pick<Subject, 'person' | 'cohorts' | 'hashKeys'>;

const NOTHING_STORED: PersonFacts = { properties: undefined, cohorts: new Set(), hashKeys: new Map() };

/** What the request says comes before what is stored. Nothing is looked up that would not be looked at. */
async function personOf(
  { team_id, settings }: ProjectFlags,
  { distinct_id, anon_distinct_id, person_properties }: FlagRequest & { distinct_id: string },
  needs: Needs,
  geoip: Properties,
  facts: StoredFacts,
): Promise<PersonSide> {
  const said = [person_properties, geoip, { distinct_id }];
  const isSaid = (key: string) => said.some((layer) => Object.hasOwn(layer, key));
  const { membership, hashKeys } = needs;
  const isNeeded = membership || hashKeys || ![...needs.personKeys].every(isSaid);
  if (!isNeeded) return { ...NOTHING_STORED, person: new PropertyLayers(said) };

  const asked = { team_id, settings, membership, hashKeys };
  const [stored, before] = await Promise.all([
    facts.person({ ...asked, distinct_id }),
    hashKeys && anon_distinct_id !== undefined
      ? facts.person({ ...asked, membership: false, distinct_id: anon_distinct_id })
      : NOTHING_STORED,
  ]);
  return {
    person: new PropertyLayers([...said, stored?.properties], stored !== undefined),
    cohorts: stored?.cohorts,
    hashKeys: stored && before && new Map([...before.hashKeys, ...stored.hashKeys]),
  };
}

async function groupsOf(
  { team_id, groupTypes }: ProjectFlags,
  { groups, group_properties }: FlagRequest,
  needs: Needs,
  facts: StoredFacts,
): Promise<Map<number, GroupSubject>> {
  const named: [number, GroupSubject][] = [];
  for (const [type, key] of groups) {
    const group_type_index = groupTypes.get(type);
    if (group_type_index === undefined || !needs.groupTypes.has(group_type_index)) continue;
    const given = group_properties[type];
    const said: Properties[] = [{ $group_key: key }, isObject(given) ? given : {}];
    const isNeeded = ![...needs.groupKeys].every((name) => said.some((layer) => Object.hasOwn(layer, name)));
    const stored = isNeeded ? await facts.group({ team_id, group_type_index, group_key: key }) : { properties: {} };
    const properties = new PropertyLayers([...said, stored?.properties], stored !== undefined);
    named.push([group_type_index, { key, properties }]);
  }
  return new Map(named);
}

/** From the request that identifies a visitor on, flags that promise it go by the visitor's id. */
async function keepHashKeys(
  { team_id }: ProjectFlags,
  { distinct_id, anon_distinct_id }: FlagRequest & { distinct_id: string },
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
