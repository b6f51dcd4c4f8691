// Whether the address can be listened on.
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../config.ts';
import { CliError } from './exit.ts';

type Address = Pick<Config, 'HOST' | 'PORT'>;

/** Undefined when the port is free; otherwise what the operating system says against it. */
export async function findPortFault({ HOST: host, PORT: port }: Address): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    server.close();
  }
}

/** One line that says what is wrong and what would be right. */
export function explainPortFault(code: string, { HOST, PORT }: Address): string {
  if (code === 'EADDRINUSE')
    return `PORT: ${PORT} is taken by another program. Stop it, or set PORT to another number.`;
  if (code === 'EACCES') return `PORT: ${PORT} is reserved for root. Set PORT to a number from 1024 to 65535.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `HOST: ${HOST} is not an address of this machine. Set HOST to 127.0.0.1, or to 0.0.0.0 for all.`;
  }
  return `HOST and PORT: cannot listen on ${HOST}:${PORT} (${code}). Set them to an address and a port that are free.`;
}

export async function requireFreePort(address: Address): Promise<void> {
  const code = await findPortFault(address);
  if (code !== undefined) throw new CliError(1, explainPortFault(code, address));
}
