// What the service tells of its contract, at paths beside it: the contract as a file, and a page to
// try it on. Asked only for paths that the contract does not know; until then nothing is loaded.

import type { Publish } from '../contract/bundle.ts';
import type { Definition } from '../document/definition.ts';
import type { EngineResponse } from '../engine/engine.ts';
import {
  internalError,
  methodNotAllowed,
  type Problem,
  preconditionFailed,
} from '../errors/problem.ts';
import { type HttpRequest, originForm } from '../request/exchange.ts';
import type { JsonFile } from './contractFile.ts';
import type { Representation, Resource } from './resource.ts';

const ALLOW = 'GET, HEAD, OPTIONS';
const NO_BODY = { body: undefined, cause: undefined };

/** What the documents are made of. */
export interface DocsOptions {
  readonly definition: Definition;
  readonly publish: Publish;
  /** Where clients reach the service, if that is known. */
  readonly baseUrl: URL | undefined;
  /** What every path starts with; `''` for none. */
  readonly prefix: string;
}

export class Docs {
  readonly #prefix: string;
  readonly #loaders: ReadonlyMap<string, () => Promise<Resource>>;
  readonly #resources = new Map<string, Promise<Resource>>();

  constructor(options: DocsOptions) {
    this.#prefix = options.prefix;
    this.#loaders = new Map([...contractFiles(options), ...pageFiles(options)]);
  }

  /** Never rejects. @returns undefined for a path that is not of the documentation */
  async respond({ method, url, headers }: HttpRequest): Promise<EngineResponse | undefined> {
    const route = this.#routeOf(url);
    const load = this.#loaders.get(route);
    const isRead = method === 'GET' || method === 'HEAD';
    if (isRead && isPageAlias(route, headers.accept))
      return redirect(`${this.#prefix}/docs`, route);
    if (load === undefined) return undefined;
    if (method === 'OPTIONS') return { ...NO_BODY, route, status: 204, headers: { Allow: ALLOW } };
    if (!isRead) return refusal(methodNotAllowed(ALLOW), route);
    try {
      const { acceptedEncoding } = await import('./resource.ts');
      const resource = await this.#resource(route, load);
      const found = await resource(acceptedEncoding(acceptEncodingOf(headers)));
      if (!isCurrent(headers['if-match'], found.etag)) return refusal(preconditionFailed(), route);
      const isKnown = isMatch(headers['if-none-match'], found.etag);
      return isKnown ? unchanged(found, route) : whole(found, route);
    } catch (error) {
      return { ...refusal(internalError(), route), cause: error };
    }
  }

  /** Compares the path as sent: a proxy that filters by path sees the same one. */
  #routeOf(url: string): string {
    const [path = ''] = originForm(url).split('?');
    return path.startsWith(this.#prefix) ? path.slice(this.#prefix.length) : '';
  }

  /** Made at the first request, once; one that could not be made is tried again. */
  #resource(route: string, load: () => Promise<Resource>): Promise<Resource> {
    const made = this.#resources.get(route) ?? load();
    this.#resources.set(route, made);
    made.catch(() => this.#resources.delete(route));
    return made;
  }
}

function contractFiles({
  definition: { document },
  publish,
  baseUrl,
  prefix,
}: DocsOptions): [string, () => Promise<Resource>][] {
  const from = () => import('./contractResource.ts');
  const load = async (file: JsonFile) =>
    (await from()).jsonResource(file, { document, baseUrl: baseUrl?.href, prefix });
  return [
    ['/openapi.yaml', async () => (await from()).yamlResource(await publish(), baseUrl?.href)],
    ['/openapi.json', () => load('json')],
    ['/docs/openapi.json', () => load('page')],
  ];
}

function pageFiles({ definition }: DocsOptions): [string, () => Promise<Resource>][] {
  const from = () => import('./page.ts');
  return [
    ['/docs', async () => (await from()).page(definition)],
    ...['page.js', 'page.css', 'swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'].map(
      (name): [string, () => Promise<Resource>] => [
        `/docs/${name}`,
        async () => (await from()).asset(name),
      ],
    ),
  ];
}

function whole(resource: Representation, route: string): EngineResponse {
  const length = { 'Content-Length': String(resource.bytes) };
  const headers = { ...cached(resource), ...length };
  return { status: 200, headers, body: resource.open(), route, cause: undefined };
}

function unchanged(resource: Representation, route: string): EngineResponse {
  const { 'Content-Type': _, ...headers } = cached(resource);
  return { ...NO_BODY, status: 304, headers, route };
}

/** `/docs/`, and `/` for a browser. */
function isPageAlias(route: string, accept: string | undefined): boolean {
  return route === '/docs/' || (route === '/' && /\btext\/html\b/i.test(accept ?? ''));
}

function redirect(location: string, route: string): EngineResponse {
  return { ...NO_BODY, status: 302, headers: { Location: location, Vary: 'Accept' }, route };
}

/** RFC 9110, section 13.1.1: a list of tags, compared strongly, or `*`. */
function isCurrent(sent: string | undefined, etag: string): boolean {
  const tags = sent?.split(',').map((tag) => tag.trim());
  return tags === undefined || tags.includes(etag) || tags.includes('*');
}

/** To be asked for again each time, and sent again only when it has changed. */
function cached({ headers, etag }: Representation): Record<string, string> {
  return { ...headers, ETag: etag, 'Cache-Control': 'no-cache' };
}

function refusal(problem: Problem, route: string): EngineResponse {
  const headers = { ...problem.headers, 'Content-Type': 'application/json' };
  return { status: problem.status, headers, body: problem.toBody(), route, cause: undefined };
}

function acceptEncodingOf({ 'accept-encoding': accepted }: HttpRequest['headers']) {
  return [accepted ?? []].flat().join();
}

/** RFC 9110, section 13.1.2: a list of tags, compared weakly, or `*`. */
function isMatch(sent: string | undefined, etag: string): boolean {
  const tags = (sent ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
