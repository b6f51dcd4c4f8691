// How keys and tokens look, and what is kept of them.
import { createHash } from 'node:crypto';
import { randomText } from '../../platform/random.ts';

/** A personal API key: shown once to its owner, kept only as its digest. */
export const newPersonalApiKey = () => `phx_${randomText(35)}`;
/** A project key: public, it sits in every page that sends events. */
export const newProjectToken = () => `phc_${randomText(32)}`;
export const newKeyId = () => randomText(32);

/** Keys are long and random, so one round of SHA-256 without salt is enough, and allows looking a key up by its digest. */
export const digestKey = (key: string) => `sha256$${createHash('sha256').update(key).digest('hex')}`;

/** Enough of a key to recognise it by, too little to use. */
export const maskKey = (key: string) => `${key.slice(0, 4)}...${key.slice(-4)}`;
