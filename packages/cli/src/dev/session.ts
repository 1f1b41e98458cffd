// A service that reloads: the contract without a restart, the sources with one. A version that cannot be
// served is reported, and the previous one keeps running.

import { existsSync, readFileSync } from 'node:fs';
import { type ResolveHookSync, registerHooks } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ContractErrors, type LoadedContract } from '@stubwright/contract';
import {
  type Log,
  type Service,
  type ServiceOptions,
  type Settings,
  startErrorMessage,
  startService,
} from '@stubwright/service';
import type { Access } from '../loading/containment.ts';
import { loadContractFiles } from '../loading/load.ts';

type ReloadResult =
  | {
      readonly kind: 'served';
      readonly before: LoadedContract;
      readonly after: LoadedContract;
      /** The operationIds that have a handler now and had none. */
      readonly handled: readonly string[];
    }
  | {
      readonly kind: 'kept';
      readonly errors: string;
      readonly isValid: boolean;
      /** False for sources whose error has no location. */
      readonly isLocated: boolean;
    };

interface SessionOptions {
  readonly settings: Settings;
  readonly tokens: readonly string[];
  readonly log: Log;
  readonly access: Access;
}

export class DevSession {
  readonly #modules: FreshModules;
  readonly #given: SessionOptions;
  readonly #stages: StageLog;
  #version: Version;
  #service: Service | undefined;
  #contract: LoadedContract;
  /** True while saved sources wait for a contract that can be served. */
  #hasNewSources = false;

  private constructor(
    modules: FreshModules,
    given: SessionOptions,
    stages: StageLog,
    version: Version,
    service: Service,
    contract: LoadedContract,
  ) {
    // Keeps the port and the token of the first start.
    const settings = { ...given.settings, port: Number(new URL(service.url).port) };
    const { generatedToken } = service;
    const tokens = generatedToken === undefined ? given.tokens : [`${generatedToken} scope=*`];
    this.#given = { ...given, settings, tokens };
    this.#modules = modules;
    this.#stages = stages;
    this.#version = version;
    this.#service = service;
    this.#contract = contract;
  }

  /** @throws as `startService`: `ContractErrors` if the handlers do not match the contract */
  static async start(
    modules: FreshModules,
    version: Version,
    contract: LoadedContract,
    options: SessionOptions,
  ): Promise<{ session: DevSession; service: Service }> {
    expectOperations(version, contract, options);
    const stages = new StageLog(options.log);
    const given = { ...options, log: stages.log };
    const service = await started(version, contract, given);
    return { session: new DevSession(modules, given, stages, version, service, contract), service };
  }

  get contract(): LoadedContract {
    return this.#contract;
  }

  get handled(): ReadonlySet<string> {
    return this.#version.handled;
  }

  async contractSaved(): Promise<ReloadResult> {
    const service = this.#service;
    if (service === undefined || this.#hasNewSources) return this.sourceSaved();
    return this.#reload(async (after) => {
      expectOperations(this.#version, after, this.#given);
      await service.serve(after);
      return [];
    });
  }

  async sourceSaved(): Promise<ReloadResult> {
    this.#hasNewSources = true;
    return this.#reload(async (after) => {
      // Most errors are found before the service is stopped.
      const version = await this.#modules.importVersion();
      expectOperations(version, after, this.#given);
      const handled = [...version.handled].filter((id) => !this.handled.has(id));
      await this.#restart(version, after);
      this.#hasNewSources = false;
      return handled;
    });
  }

  async stop(): Promise<void> {
    await this.#service?.stop();
    this.#service = undefined;
  }

  /** @param serve returns the operationIds that have a handler now and had none */
  async #reload(
    serve: (after: LoadedContract) => Promise<readonly string[]>,
  ): Promise<ReloadResult> {
    const before = this.#contract;
    let isValid = false;
    try {
      const after = await loadContractFiles(this.#given.settings.contract, this.#given.access);
      isValid = true;
      const handled = await serve(after);
      this.#contract = after;
      return { kind: 'served', before, after, handled };
    } catch (error) {
      const isLocated = !(error instanceof SourceError) || error.isLocated;
      return { kind: 'kept', errors: messageOf(error), isValid, isLocated };
    }
  }

  /** Replaces the running version; restarts the previous one if the new one does not start. */
  async #restart(version: Version, contract: LoadedContract): Promise<void> {
    this.#stages.isSilent = true;
    try {
      await this.stop();
    } finally {
      this.#stages.isSilent = false;
    }
    try {
      this.#service = await started(version, contract, this.#given);
      this.#version = version;
    } catch (error) {
      this.#service = await started(this.#version, this.#contract, this.#given);
      throw error;
    }
  }
}

function started(
  { options }: Version,
  contract: LoadedContract,
  { settings, tokens, log }: SessionOptions,
): Promise<Service> {
  return startService({ ...options, settings, tokens, log, contract });
}

/** The log of a service whose shutdown is a part of a reload, which has one line. */
class StageLog {
  readonly log: Log;
  isSilent = false;

  constructor(log: Log) {
    const info = (...line: unknown[]) => {
      if (!this.isSilent) Reflect.apply(log.info, log, line);
    };
    this.log = Object.assign(Object.create(log) as Log, { info });
  }
}

/** @throws {ContractErrors} with the location of each handler that belongs to no operation */
function expectOperations(
  { options: { handlers = {} } }: Version,
  { definition }: LoadedContract,
  { settings, access }: SessionOptions,
): void {
  if (settings.mock === 'all') return;
  const declared = new Set(definition.operations.map(({ operationId }) => operationId));
  const unknown = Object.keys(handlers).filter((id) => !declared.has(id));
  if (unknown.length === 0) return;
  throw new ContractErrors(
    unknown.map((id) => {
      const at = positionOf(id, 'src/handlers/index.ts', access.cwd ?? '');
      return `${at}  handler ${id} belongs to no operation  expected one of the contract`;
    }),
  );
}

/** Removes the stack frames inside Node. */
function messageOf(error: unknown): string {
  if (error instanceof SourceError) return error.message;
  return startErrorMessage(error).replace(/\n +at .*node:.*/g, '');
}

/** Sources that cannot be imported. The message is one line. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  /** False if Node reports no location: the compiler may. */
  readonly isLocated: boolean;

  constructor(message: string, isLocated: boolean) {
    super(message);
    this.isLocated = isLocated;
  }
}

/** An import that Node cannot resolve. */
export interface FailedImport {
  readonly specifier: string;
  /** The URL of the module that has the import. */
  readonly importer: string;
}

/** @param failedImport the import that Node could not resolve: the error names it in its message alone */
export function sourceErrorOf(
  cause: unknown,
  cwd: string,
  failedImport?: FailedImport,
): SourceError {
  if (failedImport !== undefined) {
    const { specifier, importer } = failedImport;
    const at = positionOf(specifier, relative(cwd, fileURLToPath(importer)), cwd);
    const { code } = cause as NodeJS.ErrnoException;
    const what = `import of ${specifier} cannot be resolved (${code})`;
    return new SourceError(`${at}  ${what}  ${EXPECTED}`, true);
  }
  const at = locationOf(cause, cwd);
  const [line] = String(cause instanceof Error ? cause.message : cause).split('\n');
  const what = line!.replaceAll(join(cwd, '/'), '');
  return new SourceError(`${at ?? 'src/'}  ${what}  ${EXPECTED}`, at !== undefined);
}

const EXPECTED = 'expected sources that Node can import';

/** @returns `file:line:column`, relative to the project */
function locationOf(cause: unknown, cwd: string): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  for (const [, url, line, column, caret] of (cause.stack ?? '').matchAll(FRAME)) {
    const file = relative(cwd, fileURLToPath(url!));
    if (file.startsWith('..') || file.includes('node_modules')) continue;
    return `${file}:${line}:${column ?? (caret ?? '').length + 1}`;
  }
  return undefined;
}

/** A frame of a stack, or the code of a SyntaxError with a `^` below. */
const FRAME = /(file:\/\/[^\s?:]+)(?:\?version=\d+)?:(\d+)(?::(\d+)|\n.*\n( *)\^)?/g;

/** @returns the location of the last line that has a text, `src/handlers/index.ts:3:9`; else the file */
function positionOf(text: string, file: string, cwd: string): string {
  const path = join(cwd, file);
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  // `./a.ts` is no part of `../a.ts`.
  const word = new RegExp(`(?<![\\w$])(?!(?<=\\.)\\.)${text.replaceAll(/\W/g, '\\$&')}(?![\\w$])`);
  const line = lines.findLastIndex((line) => word.test(line));
  return line < 0 ? file : `${file}:${line + 1}:${lines[line]!.search(word) + 1}`;
}

interface Version {
  readonly options: ServiceOptions<unknown>;
  /** The operationIds that have a handler. */
  readonly handled: ReadonlySet<string>;
}

const MARK = /\?version=\d+$/;
let versions = 0;

export class FreshModules {
  readonly #cwd: string;
  readonly #sources: string;
  readonly #failedImports = new WeakMap<object, FailedImport>();

  constructor(cwd: string) {
    const sources = `${pathToFileURL(resolve(cwd, 'src')).href}/`;
    this.#cwd = cwd;
    this.#sources = sources;
    registerHooks({
      /** The imports of a versioned module from src/ have the same version. */
      resolve: (specifier, context, next) => {
        const resolved = this.#resolved(specifier, context, next);
        const [mark] = MARK.exec(context.parentURL ?? '') ?? [];
        const isOurs = resolved.url.startsWith(sources) && !MARK.test(resolved.url);
        return mark !== undefined && isOurs ? { ...resolved, url: resolved.url + mark } : resolved;
      },
    });
  }

  /** @throws {SourceError} if src/service.ts cannot be imported, or has no export `service` */
  async importVersion(): Promise<Version> {
    const { service } = await this.#import();
    if (typeof service !== 'object') {
      throw new SourceError(
        'src/service.ts: expected an export `service` with the options of runService',
        true,
      );
    }
    const handlers = Object.entries(service.handlers ?? {});
    const handled = handlers.filter(([, handler]) => typeof handler === 'function');
    return { options: service, handled: new Set(handled.map(([id]) => id)) };
  }

  #resolved(...[specifier, context, next]: Parameters<ResolveHookSync>) {
    try {
      return next(specifier, context);
    } catch (error) {
      const importer = context.parentURL;
      if (importer?.startsWith(this.#sources)) {
        this.#failedImports.set(error as object, { specifier, importer });
      }
      throw error;
    }
  }

  async #import(): Promise<{ service?: ServiceOptions<unknown> }> {
    try {
      return await import(`${this.#sources}service.ts?version=${++versions}`);
    } catch (error) {
      throw sourceErrorOf(error, this.#cwd, this.#failedImports.get(Object(error)));
    }
  }
}
