// The services that are passed to the handlers.
import type { StoreTransaction } from "@stubwright/store";
{{webhookTypes}}
export interface Services {
  /** Of the request: it commits before a reply with a status below 400 is sent. */
  readonly transaction: StoreTransaction;{{webhookProperty}}
}
