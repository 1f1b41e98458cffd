// Sends the webhooks of the contract from the outbox in the store.
import { randomBytes } from "node:crypto";
import type { Environment, OpenContext, Settings } from "@stubwright/service";
import type { DataStore, StoreTransaction } from "@stubwright/store";
import { createWebhooks, storeOutbox } from "stubwright/webhooks";
import type { webhooks as Hooks } from "../generated/contract.ts";

export interface WebhookSettings {
  readonly webhookSecret: string | undefined;
}

export function readWebhookSettings(env: Environment): WebhookSettings {
  return { webhookSecret: env["WEBHOOK_SECRET"] || undefined };
}

export async function openWebhooks(
  { settings, log }: OpenContext<Settings & WebhookSettings>,
  store: DataStore,
) {
  if (settings.webhookSecret === undefined) {
    log.warn(
      "WEBHOOK_SECRET: not set, no receiver can verify webhooks; expected whsec_ and base64",
    );
  }
  const secret =
    settings.webhookSecret ?? `whsec_${randomBytes(24).toString("base64")}`;
  const webhooks = await createWebhooks<Hooks, StoreTransaction>({
    contract: settings.contract,
    outbox: storeOutbox(store),
    secrets: () => [secret],
  });
  webhooks.start();
  return webhooks;
}
