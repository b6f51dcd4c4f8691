import { hash, verify } from '@node-rs/argon2';
import { invalid } from '../../http/errors.ts';

const PASSWORD_LENGTH_MIN = 8;

export function requireGoodPassword(password: string, attr = 'password'): void {
  if (password.length < PASSWORD_LENGTH_MIN) {
    throw invalid(
      `This password is too short. It must contain at least ${PASSWORD_LENGTH_MIN} characters.`,
      attr,
      'password_too_short',
    );
  }
  if (/^\d+$/.test(password)) {
    throw invalid('This password is entirely numeric.', attr, 'password_entirely_numeric');
  }
}

/** Argon2id with the library's defaults (19 MiB, two passes): the recommended minimum. */
export const hashPassword = (password: string) => hash(password);

// A password nobody has, so that an unknown e-mail costs as much time as a wrong password.
let decoy: Promise<string> | undefined;

/** Takes the same time whether the account exists or not. */
export async function passwordMatches(password_hash: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('no account has this password');
  const matches = await verify(password_hash ?? (await decoy), password).catch(() => false);
  return matches && password_hash !== null && password_hash !== undefined;
}
