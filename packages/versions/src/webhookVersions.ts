// The served versions of a contract, for the sender of its webhooks.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Contract, MaybePromise } from '@stubwright/contract';
import { type Configuration, configurationIn } from './configuration.ts';
import type { WebhookMessage } from './converters.ts';
import type { Level } from './level.ts';
import { type LoadVersion, VersionChain } from './versionChain.ts';
import type { VersionLink } from './versionLink.ts';
import { fromFiles } from './versions.ts';

/** For the option `versions` of `createWebhooks`. */
export interface WebhookVersions {
  /**
   * Opens the oldest version for one that is not served any more.
   *
   * @returns undefined for the current version, and without older versions
   * @throws {ContractErrors} for a contract or converters that do not fit
   */
  open(version: string, current: Contract): Promise<WebhookVersion | undefined>;
}

/** A version of subscribers. */
export interface WebhookVersion {
  readonly definition: Contract;
  /** @returns undefined for a message that the version does not have */
  convert(name: string, body: unknown): MaybePromise<WebhookMessage | undefined>;
}

/**
 * Each version is read at its first message.
 *
 * @param file with the served versions; without it there are none
 * @throws {ContractErrors} for an invalid file
 * @example
 * const webhooks = await createWebhooks<Hooks, DatabaseSync>({ …, versions: webhookVersions() });
 * await webhooks.send('toySold', url, body, { version: subscriber.version });
 */
export function webhookVersions(file = 'compatibility.yaml'): WebhookVersions {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return convertedWebhooks(configurationIn(text, file), fromFiles(dirname(resolve(file))));
}

/** @param configuration undefined without served versions */
export function convertedWebhooks(
  configuration: Pick<Configuration, 'versions'> | undefined,
  load: LoadVersion,
): WebhookVersions {
  const entries = configuration?.versions ?? [];
  let chain: VersionChain | undefined;
  return {
    async open(subscribed, current) {
      const own = current.version ?? 'current';
      const names = entries.map((each) => each.version);
      const isListed = names.includes(subscribed);
      // The operation that sends a message must not fail for a version that is not served any more.
      const version = isListed || isNewer(subscribed, own) ? subscribed : names[0];
      if (version === undefined || !names.includes(version)) return undefined;
      chain ??= new VersionChain(entries, load, withoutCalls(current, own));
      const passed = names.slice(names.indexOf(version)).reverse();
      const links: VersionLink[] = [];
      for (const name of passed) links.push((await chain.link(name)).link);
      return {
        definition: links.at(-1)!.definition,
        convert: (name, body) => converted(name, { body }, links),
      };
    },
  };
}

/** @returns true for the current version, and one after it, such as after a rollback */
function isNewer(version: string, current: string): boolean {
  return version.localeCompare(current, 'en', { numeric: true }) >= 0;
}

/** @param links the newest version first */
async function converted(
  name: string,
  message: WebhookMessage,
  links: readonly VersionLink[],
): Promise<WebhookMessage | undefined> {
  let latest: WebhookMessage | undefined = message;
  for (const { webhooks } of links) {
    latest = await webhooks.convert(name, latest.body);
    if (latest === undefined) return undefined;
  }
  return latest;
}

/** Messages call no operations. */
function withoutCalls(definition: Contract, version: string): Level {
  return {
    ...{ version, definition },
    call() {
      throw new TypeError('expected no call of an operation');
    },
    currentOperation: (operationId) => operationId,
    entry: () => undefined,
    inOwnStatus: (error) => error,
  };
}
