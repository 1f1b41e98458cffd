// The responses of operations.

import { unescapeUri } from '../document/pointer.ts';
import type { Schema } from '../schema/model.ts';
import type { Contents } from './contents.ts';
import { ContractObject } from './contractObject.ts';
import { type Content, contentsOf, Header, withoutContentType } from './describedValues.ts';

/** A Response Object. */
export class Response extends ContractObject {
  #headers: ReadonlyMap<string, Header> | undefined;
  #declaredHeaders: ReadonlyMap<string, Header> | undefined;

  get contents(): Contents<Content> {
    return contentsOf(this.contract, this);
  }

  /** By name, without Content-Type, which OpenAPI ignores. */
  get headers(): ReadonlyMap<string, Header> {
    this.#headers ??= withoutContentType(this.declaredHeaders);
    return this.#headers;
  }

  /** By name, also Content-Type. */
  get declaredHeaders(): ReadonlyMap<string, Header> {
    this.#declaredHeaders ??= this.map(Header, 'headers');
    return this.#declaredHeaders;
  }

  /** The schemas of its headers and bodies. */
  get schemas(): readonly Schema[] {
    const ofHeaders = [...this.declaredHeaders.values()].flatMap(({ schemas }) => schemas);
    return [...ofHeaders, ...this.contents.values().flatMap(({ schema }) => schema ?? [])];
  }

  get links(): ReadonlyMap<string, Link> {
    return this.map(Link, 'links');
  }
}

/** A Link Object: an operation, and the values of its parameters in a response. */
export class Link extends ContractObject {
  get operationId(): string | undefined {
    return this.node['operationId'];
  }

  /** The JSON pointer of an `operationRef` in this document; undefined for one of another. */
  get operationPointer(): string | undefined {
    const ref = String(this.node['operationRef'] ?? '');
    return ref.startsWith('#') ? unescapeUri(ref.slice(1)) : undefined;
  }

  /** Runtime expressions and constants by name: `id` or `path.id`. */
  get parameters(): Readonly<Record<string, unknown>> {
    return this.node['parameters'] ?? {};
  }
}

/** The responses of an operation by status code, range (`4XX`) or `default`, in their order. */
export class Responses extends Map<string, Response> {
  /**
   * @param status a status code or a range
   * @returns the key of its response: the code, else its range, else `default`; undefined if none is declared
   */
  keyFor(status: number | string): string | undefined {
    const code = String(status);
    const family = code.charAt(0);
    const keys = [code, `${family}XX`, `${family}xx`, 'default'];
    return keys.find((key) => this.has(key));
  }

  /** @param status a status code or a range @returns the response of the code, else of its range, else `default` */
  for(status: number | string): Response | undefined {
    const key = this.keyFor(status);
    return key === undefined ? undefined : this.get(key);
  }

  /** The first declared response of a 2xx status. */
  get success(): Response | undefined {
    return [...this].find(([status]) => status.startsWith('2'))?.[1];
  }
}
