// Which addresses belong to everybody, and which only to a machine or a private network.
import { BlockList, isIP } from 'node:net';

const V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // behind a carrier's translation
  ['127.0.0.0', 8], // this machine
  ['169.254.0.0', 16], // this link; clouds answer questions about their machines here
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // a retired relay
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
];

/** Of IPv6, only this is handed out to the public; a few blocks within it are not. */
const V6_PUBLIC = ['2000::', 3] as const;
const V6_WITHIN: readonly (readonly [string, number])[] = [
  ['2001::', 23], // protocol assignments, among them Teredo, which carries an IPv4 address
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: carries an IPv4 address
  ['3fff::', 20], // documentation
];
/** IPv4 addresses translated to IPv6: the last four bytes say where a packet really goes. */
const TRANSLATED = /^64:ff9b::/i;

const refused = new BlockList();
for (const [net, prefix] of V4) refused.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of V6_WITHIN) refused.addSubnet(net, prefix, 'ipv6');
const publicV6 = new BlockList();
publicV6.addSubnet(...V6_PUBLIC, 'ipv6');

/** Whether an address can be reached by, and so may be asked on behalf of, anybody. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  if (isIP(bare) === 4) return !refused.check(bare, 'ipv4');
  if (isIP(bare) !== 6) return false;
  const v4 = mappedV4(bare);
  if (v4) return !refused.check(v4, 'ipv4');
  return publicV6.check(bare, 'ipv6') && !refused.check(bare, 'ipv6');
}

/** The IPv4 address inside `::ffff:a.b.c.d`, `::a.b.c.d` or `64:ff9b::a.b.c.d`, however it is written. */
function mappedV4(address: string): string | undefined {
  // The URL parser writes every IPv6 address in its one shortest form, in hexadecimal.
  const shortest = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const found = /^(?:::ffff:|::|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(shortest);
  if (!found) return TRANSLATED.test(shortest) ? '0.0.0.0' : undefined;
  const [high, low] = [Number.parseInt(found[1]!, 16), Number.parseInt(found[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
