// Hosts that a user names are connected to from inside the operator's network. Without a guard, an export could reach
// what the user cannot: a database next door, or a cloud's description of its own machine.
import { lookup } from 'node:dns/promises';
import { type AgentOptions, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { DestinationError } from '../destinations/destination.ts';
import { isPublicAddress } from './addresses.ts';

export interface NetworkGuard {
  /** The addresses of a host, each of them allowed. Connect to one of these, not to the name: it may answer otherwise next time. */
  resolve(host: string): Promise<readonly [string, ...string[]]>;
  /** Throws when the URL is not of these protocols or its host is an address that is not allowed. */
  checkUrl(url: string, protocols: readonly string[]): URL;
  /** Agents that connect only to what is allowed, decided for the very address that is connected to. */
  httpAgents(options?: AgentOptions): { http: HttpAgent; https: HttpsAgent };
}

export interface GuardOptions {
  readonly privateNetworksAllowed: boolean;
}

export function openGuard({ privateNetworksAllowed }: GuardOptions): NetworkGuard {
  const isAllowed = (address: string) => privateNetworksAllowed || isPublicAddress(address);

  const resolve = async (host: string): Promise<readonly [string, ...string[]]> => {
    const bare = host.replace(/^\[(.*)\]$/, '$1');
    const found = isIP(bare) ? [bare] : await addressesOf(bare);
    const [first, ...rest] = found;
    if (!first) throw unknownHost(host);
    // One bad address among good ones is enough: which of them is used is not ours to choose everywhere.
    if (!found.every(isAllowed)) throw privateHost(host);
    return [first, ...rest];
  };

  const guardedLookup: LookupFunction = (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const fitting = addresses.filter((address) => !options.family || isIP(address) === familyOf(options.family));
        const [first = addresses[0]] = fitting;
        if (options.all) callback(null, (fitting.length > 0 ? fitting : addresses).map(toLookup));
        else callback(null, first, isIP(first));
      },
      (error) => callback(error, '', 0),
    );
  };

  return {
    resolve,
    checkUrl(text, protocols) {
      if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) throw badUrl(text, protocols);
      const url = new URL(text);
      const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
      // An address is connected to without a lookup, so it is judged here.
      if (isIP(host) && !isAllowed(host)) throw privateHost(host);
      return url;
    },
    httpAgents: (options = {}) => ({
      http: new HttpAgent({ keepAlive: true, ...options, lookup: guardedLookup }),
      https: new HttpsAgent({ keepAlive: true, ...options, lookup: guardedLookup }),
    }),
  };
}

const toLookup = (address: string) => ({ address, family: isIP(address) });
const familyOf = (family: number | 'IPv4' | 'IPv6') => (family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family);

async function addressesOf(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    // The name server did not answer; it may later. That it knows no such name is an answer.
    const isTemporary = (error as NodeJS.ErrnoException).code === 'EAI_AGAIN';
    if (isTemporary)
      throw new DestinationError('HostLookupError', `Cannot look up the host ${host} just now.`, { final: false });
    throw unknownHost(host);
  }
}

const unknownHost = (host: string) =>
  new DestinationError('UnknownHost', `There is no host named ${host}. Check its spelling.`, { final: true });

const privateHost = (host: string) =>
  new DestinationError(
    'PrivateNetworkError',
    `The host ${host} is in a private network, where exports may not connect. ` +
      'Whoever runs this installation can allow it with TENREC_EXPORT_PRIVATE_NETWORKS=true.',
    { final: true },
  );

const badUrl = (text: string, protocols: readonly string[]) =>
  new DestinationError(
    'InvalidUrl',
    `${JSON.stringify(text)} is not a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`,
    { final: true },
  );
