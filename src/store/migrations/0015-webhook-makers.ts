/** Which coach answers for the webhook of a group, so that it ends with their right to manage the group. */
import { type Migration, onBothEngines } from '../engine.ts';

export const webhookMakers: Migration = {
  name: 'webhook-makers',
  why: 'A group’s webhook sends only while the coach who saved it last coaches the group.',
  // Nobody wrote down who made the earlier ones: they now belong to the group's coach of longest standing.
  ...onBothEngines(`
    ALTER TABLE webhooks ADD COLUMN made_by INTEGER REFERENCES members (id) ON DELETE SET NULL;
    UPDATE webhooks SET made_by = (
      SELECT user_id FROM group_members INNER JOIN members ON members.id = user_id
      WHERE group_members.group_id = webhooks.group_id AND group_members.role = 'coach' AND is_disabled = 0
      ORDER BY joined_at, user_id LIMIT 1
    );
  `),
};
