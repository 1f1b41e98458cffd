// Webhooks and callbacks: a sender with a durable outbox, and a verifier for receivers.

export { isPublicAddress } from './webhooks/delivery.ts';
export type { ClaimedMessage, Outbox, OutboxMessage } from './webhooks/outbox.ts';
export {
  POSTGRES_OUTBOX,
  type PostgresConnection,
  postgresOutbox,
} from './webhooks/postgresOutbox.ts';
export type { CallbackSource } from './webhooks/runtimeExpression.ts';
export {
  createWebhooks,
  type SendOptions,
  type WebhookEvents,
  type WebhookOptions,
  type Webhooks,
} from './webhooks/sender.ts';
export {
  InvalidWebhook,
  type ReceivedWebhook,
  signatureHeaders,
  verifyWebhook,
  type WebhookHeaders,
} from './webhooks/signature.ts';
export { type SqliteConnection, sqliteOutbox } from './webhooks/sqliteOutbox.ts';
