// The conditions of a request as its handler checks them, within its transaction.
import { conditionFailed } from '@stubwright/contract';
import type { Exchange } from '../request/exchange.ts';
import type { HttpResponse } from '../response/reply.ts';
import { type Conditions, type Current, falseCondition, httpDate } from './conditions.ts';
import { etag, isEntityTag, type ResourceVersion } from './entityTag.ts';
import { headerOf } from './taggedResponse.ts';

/** The conditions of a request for a handler of an operation that declares one. */
export interface Preconditions {
  /**
   * Compares the conditions of the request with the current version, after the handler has read it in its
   * transaction, and before it writes. Without conditions nothing is compared.
   *
   * @param current the version, or its entity tag; undefined if the resource does not exist
   * @param lastModified for `If-Unmodified-Since`
   * @throws {Problem} 412 (41201) if a condition is false
   * @example
   * const toy = await tx.find(id);
   * request.preconditions.check(toy?.version);
   */
  check(current: ResourceVersion | undefined, lastModified?: Date): void;
  /**
   * Compares as `check`, with the `ETag` that a GET of the same path computes of this body.
   *
   * @param current the body of the GET; undefined if the resource does not exist
   * @throws {TypeError} if no GET of the path declares an `ETag`
   * @throws {Problem} 412 (41201) if a condition is false
   */
  checkRepresentation(current: unknown, lastModified?: Date): void;
}

export class RequestPreconditions implements Preconditions {
  /** The first condition of the request; undefined without one. */
  readonly first: string | undefined;
  readonly isRead: boolean;
  readonly #conditions: Conditions;
  readonly #tagsOf: (body: unknown) => string[];
  #isChecked = false;

  /** @param tagsOf the tags of the representations that a GET returns */
  constructor(conditions: Conditions, isRead: boolean, tagsOf: (body: unknown) => string[]) {
    this.first = firstOf(conditions);
    this.isRead = isRead;
    this.#conditions = conditions;
    this.#tagsOf = tagsOf;
  }

  /** False while nobody has compared a condition of a write. */
  get isChecked(): boolean {
    return this.#isChecked || this.first === undefined || this.isRead;
  }

  markChecked(): void {
    this.#isChecked = true;
  }

  check(current: ResourceVersion | undefined, lastModified?: Date): void {
    const isTag = typeof current === 'string' && isEntityTag(current);
    const tags = current === undefined ? [] : [isTag ? current : etag(current)];
    this.#compare(current !== undefined, tags, lastModified);
  }

  checkRepresentation(current: unknown, lastModified?: Date): void {
    if (this.first === undefined) return;
    const tags = current === undefined ? [] : this.#tagsOf(current);
    this.#compare(current !== undefined, tags, lastModified);
  }

  /**
   * @param headers of the response to a read
   * @returns false if the client has the representation
   * @throws {Problem} 412 if another condition is false
   */
  isModified(headers: HttpResponse['headers']): boolean {
    return this.#isTrue({
      exists: true,
      tags: [headerOf(headers, 'etag') ?? []].flat(),
      lastModified: httpDate(headerOf(headers, 'last-modified')),
    });
  }

  #compare(exists: boolean, tags: readonly string[], lastModified: Date | undefined): void {
    this.#isChecked = true;
    // The dates of HTTP have no fractions.
    const seconds = lastModified && Math.floor(lastModified.getTime() / 1000) * 1000;
    this.#isTrue({ exists, tags, lastModified: seconds });
  }

  /** @returns false for a condition of a read that leads to 304 */
  #isTrue(current: Current): boolean {
    const condition = falseCondition(this.#conditions, current);
    if (condition === 'none') return true;
    if (condition === 'If-Modified-Since') return false;
    if (this.isRead && condition === 'If-None-Match') return false;
    throw conditionFailed(condition);
  }
}

const preconditionsByExchange = new WeakMap<Exchange, RequestPreconditions>();

/** @returns undefined for a request without conditions, if its operation declares none */
export function preconditionsOf(exchange: Exchange): RequestPreconditions | undefined {
  return preconditionsByExchange.get(exchange);
}

export function setPreconditions(exchange: Exchange, preconditions: RequestPreconditions): void {
  preconditionsByExchange.set(exchange, preconditions);
}

function firstOf({ ifMatch, ifNoneMatch, ifUnmodifiedSince }: Conditions): string | undefined {
  if (ifMatch !== undefined) return 'If-Match';
  if (ifNoneMatch !== undefined) return 'If-None-Match';
  return ifUnmodifiedSince === undefined ? undefined : 'If-Unmodified-Since';
}
