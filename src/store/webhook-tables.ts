/** The tables of webhooks. All other tables are in `tables.ts`. */

/** Where the messages of a group or of a member are sent; one of the two ids is null. */
export interface WebhooksTable {
  id: bigint;
  group_id: bigint | null;
  user_id: bigint | null;
  url: string;
  /** As Standard Webhooks writes it: `whsec_` and base64. It signs, so no digest would do. */
  secret: string;
  /** 1 where the summary of a week is sent. */
  sends_weeks: bigint;
  /** 1 where it is said that an assignment is due tomorrow. */
  sends_dues: bigint;
  made_at: string;
  /** When to look for something to say, in milliseconds since 1970. */
  plans_at: bigint;
  /** 1 where staff switched it off. */
  is_off: bigint;
  /** Who saved it last. Null where their account is deleted, and in a member's own of former times. */
  made_by: bigint | null;
}

/** One message to a webhook. What it says is made when it is sent, and kept nowhere. */
export interface WebhookDeliveriesTable {
  id: bigint;
  webhook_id: bigint;
  /** What it is about; a webhook gets one message for each. */
  occasion: string;
  /** Its id for the receiver, the same at each try. */
  message: string;
  /** Spared is what was not worth saying any more when its turn came. */
  state: 'waiting' | 'sent' | 'failed' | 'spared';
  tries: bigint;
  /** How the last try ended: a status, or a word for what was in the way. */
  answer: string | null;
  made_at: string;
  tried_at: string | null;
  /** When it is tried next, in milliseconds since 1970; null for one that is over. */
  next_at: bigint | null;
}

export interface WebhookTables {
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
}
