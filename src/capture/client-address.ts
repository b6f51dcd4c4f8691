import { isIP } from 'node:net';

const PROXY_HEADERS = ['x-forwarded-for', 'http_x_forwarded_for', 'x-real-ip', 'forwarded-for', 'cf-connecting-ip'];

/** The sender's address: the left-most that a proxy names, else the socket's. What is no address is passed over. */
export function clientAddress(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  socketAddress: string | undefined,
): string | undefined {
  for (const name of PROXY_HEADERS) {
    const value = headers[name];
    const first = (Array.isArray(value) ? value[0] : value)?.split(',', 1)[0]?.trim();
    const address = first && withoutPort(first);
    if (address && isIP(address)) return address;
  }
  return socketAddress ? withoutPort(socketAddress) : undefined;
}

/** A socket that takes both kinds of address shows an IPv4 one as `::ffff:203.0.113.7`. */
function withoutPort(address: string): string {
  const match = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?$/i.exec(address);
  return match?.[1] ?? address;
}
