import { z } from 'zod';
import { choice, uuid } from '../../http/fields.ts';
import { toUserBasic, UserBasic } from '../../projects/wire.ts';
import { RESTRICTION_LEVELS } from '../levels.ts';
import { Level, timestamp } from '../shapes.ts';
import type { Collaborator as CollaboratorRow } from './sql.ts';

export const Collaborator = z.strictObject({
  id: z.uuid(),
  dashboard_id: z.int(),
  user: UserBasic,
  level: Level,
  added_at: timestamp,
  updated_at: timestamp,
  user_uuid: z.uuid(),
});

export const toCollaborator = ({ user, ...rest }: CollaboratorRow): z.output<typeof Collaborator> => ({
  ...rest,
  user: toUserBasic(user),
  user_uuid: user.uuid,
});

export const CollaboratorDraft = z.object({
  level: choice(RESTRICTION_LEVELS, '37: may edit.'),
  user_uuid: uuid('Who is invited.'),
});
