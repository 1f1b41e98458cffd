// Webhooks and callbacks: a sender with a durable outbox, and a verifier for receivers.

export { InvalidReply } from '@stubwright/contract';
export { isPublicAddress } from './delivery.ts';
export {
  type ClaimedMessage,
  type Outbox,
  type OutboxMessage,
  type OutboxStore,
  type OutboxTransaction,
  storeOutbox,
} from './outbox.ts';
export type { CallbackSource } from './runtimeExpression.ts';
export {
  createWebhooks,
  type SendOptions,
  type WebhookEvents,
  type WebhookOptions,
  type Webhooks,
} from './sender.ts';
export {
  InvalidWebhook,
  type ReceivedWebhook,
  signatureHeaders,
  verifyWebhook,
  type WebhookHeaders,
} from './signature.ts';
export { type SqliteConnection, sqliteOutbox } from './sqliteOutbox.ts';
