// A service that reloads: the contract without a restart, the sources with one. A version that cannot be
// served is reported, and the previous one keeps running.

import type { LoadedContract } from 'stubwright/contract';
import {
  type Log,
  type Service,
  type Settings,
  startErrorMessage,
  startService,
} from 'stubwright/service';
import type { Access } from '../loading/containment.ts';
import { loadContractFiles, loadMockable } from '../loading/load.ts';
import type { FreshModules, Version } from './freshModules.ts';

/** The result of a reload. */
export type ReloadResult =
  | {
      readonly kind: 'served';
      readonly before: LoadedContract;
      readonly after: LoadedContract;
      /** The operationIds that have a handler now and had none. */
      readonly handled: readonly string[];
    }
  | { readonly kind: 'kept'; readonly errors: string };

interface SessionOptions {
  readonly settings: Settings;
  readonly tokens: readonly string[];
  readonly log: Log;
  readonly access: Access;
}

export class DevSession {
  readonly #modules: FreshModules;
  readonly #settings: Settings;
  readonly #log: Log;
  readonly #access: Access;
  readonly #tokens: readonly string[];
  #version: Version;
  #service: Service | undefined;
  #contract: LoadedContract;

  private constructor(
    modules: FreshModules,
    given: SessionOptions,
    version: Version,
    service: Service,
    contract: LoadedContract,
  ) {
    // Keeps the port and the token of the first start.
    const port = Number(new URL(service.url).port);
    this.#settings = { ...given.settings, port };
    const { generatedToken } = service;
    this.#tokens = generatedToken === undefined ? given.tokens : [`${generatedToken} scope=*`];
    this.#modules = modules;
    this.#log = given.log;
    this.#access = given.access;
    this.#version = version;
    this.#service = service;
    this.#contract = contract;
  }

  /** @throws as `startService` */
  static async start(
    modules: FreshModules,
    options: SessionOptions,
  ): Promise<{ session: DevSession; service: Service }> {
    const { settings, tokens, log, access } = options;
    const version = await modules.importVersion();
    const service = await startService({ ...version.options, settings, tokens, log });
    const contract = await load(settings, access);
    const session = new DevSession(modules, options, version, service, contract);
    return { session, service };
  }

  /** The served contract. */
  get contract(): LoadedContract {
    return this.#contract;
  }

  /** The operationIds that have a handler. */
  get handled(): ReadonlySet<string> {
    return this.#version.handled;
  }

  async contractSaved(): Promise<ReloadResult> {
    try {
      const before = this.#contract;
      const after = await load(this.#settings, this.#access);
      if (this.#service === undefined) return await this.sourceSaved();
      await this.#service.serve(after);
      this.#contract = after;
      return { kind: 'served', before, after, handled: [] };
    } catch (error) {
      return { kind: 'kept', errors: messageOf(error) };
    }
  }

  async sourceSaved(): Promise<ReloadResult> {
    const before = this.#contract;
    try {
      // Most errors are found before the service is stopped.
      const after = await load(this.#settings, this.#access);
      const version = await this.#modules.importVersion();
      const handled = [...version.handled].filter((id) => !this.handled.has(id));
      await this.#restart(version);
      this.#contract = after;
      return { kind: 'served', before, after, handled };
    } catch (error) {
      return { kind: 'kept', errors: messageOf(error) };
    }
  }

  async stop(): Promise<void> {
    await this.#service?.stop();
    this.#service = undefined;
  }

  /** Replaces the running version; restarts the previous one if the new one does not start. */
  async #restart(version: Version): Promise<void> {
    await this.stop();
    try {
      this.#service = await this.#start(version);
      this.#version = version;
    } catch (error) {
      this.#service = await this.#start(this.#version);
      throw error;
    }
  }

  #start({ options }: Version): Promise<Service> {
    const given = { settings: this.#settings, tokens: this.#tokens, log: this.#log };
    return startService({ ...options, ...given });
  }
}

function load({ mock, contract }: Settings, access: Access): Promise<LoadedContract> {
  return mock === 'off' ? loadContractFiles(contract, access) : loadMockable(contract, access);
}

/** Removes the stack frames inside Node. */
function messageOf(error: unknown): string {
  return startErrorMessage(error).replace(/\n +at .*node:.*/g, '');
}
