// The messages to subscribers of older versions: converted, and validated by the contract of their version.
import { type Contract, InvalidReply, type MaybePromise } from '@stubwright/contract';
import { type OutgoingMessages, outgoingMessages, type WrittenMessage } from './outgoing.ts';

/** The older versions of a contract that are served: `webhookVersions` of @stubwright/versions. */
export interface OlderVersions {
  /** @returns undefined for the current version */
  open(version: string, current: Contract): Promise<OlderVersion | undefined>;
}

export interface OlderVersion {
  readonly definition: Contract;
  /**
   * @param name of a webhook, or `operationId callback`
   * @param body valid by the current contract
   * @returns undefined for a message that the version does not have
   */
  convert(name: string, body: unknown): MaybePromise<{ readonly body?: unknown } | undefined>;
}

interface Opened {
  readonly older: OlderVersion;
  readonly operations: ReadonlyMap<string, OutgoingMessages>;
}

export class OlderMessages {
  readonly #current: Contract;
  readonly #versions: OlderVersions | undefined;
  readonly #opened = new Map<string, Promise<Opened | undefined>>();

  constructor(current: Contract, versions: OlderVersions | undefined) {
    this.#current = current;
    this.#versions = versions;
  }

  /**
   * @param name of a message of the current contract
   * @returns undefined for a message that the version does not have
   * @throws {InvalidReply} for a body that violates the current contract, and a converted one its own
   */
  async write(
    name: string,
    body: unknown,
    { version, operation }: { readonly version: string; readonly operation: OutgoingMessages },
  ): Promise<WrittenMessage | undefined> {
    const opened = await this.#open(version);
    if (opened === undefined) return operation.write(body);
    const { older, operations } = opened;
    const converted = await older.convert(name, operation.declared(body));
    if (converted === undefined) return undefined;
    try {
      return operations.get(name)?.write(converted.body);
    } catch (error) {
      if (!(error instanceof InvalidReply)) throw error;
      throw new InvalidReply(`version ${version}: ${error.message}`, { cause: error });
    }
  }

  #open(version: string): Promise<Opened | undefined> {
    const known = this.#opened.get(version) ?? this.#opening(version);
    this.#opened.set(version, known);
    // The next message tries again.
    known.catch(() => this.#opened.delete(version));
    return known;
  }

  async #opening(version: string): Promise<Opened | undefined> {
    if (this.#versions === undefined) {
      throw new TypeError(`version: got ${version}, expected the option versions as well`);
    }
    const older = await this.#versions.open(version, this.#current);
    return older && { older, operations: outgoingMessages(older.definition) };
  }
}
