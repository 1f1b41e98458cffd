// Serves the contract as a file and the documentation page, at paths outside the contract.

import {
  acceptedRanges,
  type Contract,
  internalError,
  methodNotAllowed,
  numbered,
  type Problem,
  type Publish,
  preconditionFailed,
  unknownPath,
} from '@stubwright/contract';
import {
  type Engine,
  type EngineResponse,
  type HttpRequest,
  originForm,
} from 'stubwright/internals';
import type { JsonFile } from './contractFile.ts';
import type { Representation, Resource } from './resource.ts';

const ALLOW = 'GET, HEAD, OPTIONS';
const NO_BODY = { body: undefined, cause: undefined };

export interface DocsOptions {
  readonly definition: Contract;
  readonly publish: Publish;
  /** The only server of the published contract; undefined for its own servers. */
  readonly serverUrl: string | undefined;
  /** The base path of all routes; `''` for none. */
  readonly prefix: string;
  readonly reject: Engine['reject'];
}

export class Docs {
  /** The documents are served below each of these paths. */
  readonly #bases: ReadonlySet<string>;
  readonly #rejected: Engine['reject'];
  readonly #definition: Contract;
  readonly #loaders: ReadonlyMap<string, () => Promise<Resource>>;
  readonly #resources = new Map<string, Promise<Resource>>();

  constructor(options: DocsOptions) {
    this.#bases = new Set([options.prefix, '']);
    this.#rejected = options.reject;
    this.#definition = options.definition;
    this.#loaders = new Map([...contractFiles(options), ...pageFiles(options)]);
  }

  /** Never rejects. @returns undefined for other paths, unless a browser may have requested them */
  async respond({ method, url, headers }: HttpRequest): Promise<EngineResponse | undefined> {
    // Not normalized, so that a proxy that filters by path compares the same path.
    const [path = ''] = originForm(url).split('?');
    const isRead = method === 'GET' || method === 'HEAD';
    const isKnown = (route: string) =>
      this.#loaders.has(route) || (isRead && isPageAlias(route, headers.accept));
    const bases = [...this.#bases].filter((each) => path.startsWith(each));
    const base = bases.find((each) => isKnown(path.slice(each.length)));
    if (base === undefined) return isRead ? this.#notFound(bases[0]!, headers.accept) : undefined;
    const route = path.slice(base.length);
    const load = this.#loaders.get(route);
    if (load === undefined) return redirect(`${base}/docs`, route);
    if (method === 'OPTIONS') return { ...NO_BODY, route, status: 204, headers: { Allow: ALLOW } };
    if (!isRead) return this.#reject(methodNotAllowed(ALLOW), route);
    try {
      const { acceptedEncoding } = await import('./resource.ts');
      const resource = await this.#resource(route, load);
      const representation = await resource(acceptedEncoding(acceptEncodingOf(headers)));
      if (!isCurrent(headers['if-match'], representation.etag))
        return this.#reject(preconditionFailed(), route);
      const isCached = isMatch(headers['if-none-match'], representation.etag);
      return isCached ? notModified(representation, route) : ok(representation, route);
    } catch (error) {
      return this.#reject(internalError('internal error', error), route);
    }
  }

  /** @param base the path above `/docs` */
  async #notFound(base: string, accept: string | undefined): Promise<EngineResponse> {
    if (prefersHtml(accept)) {
      const { notFoundPage } = await import('./notFound.ts');
      return notFoundPage(this.#definition, `${base}/docs`);
    }
    const { number, message } = unknownPath();
    return this.#rejected(numbered(number, message, { headers: { Vary: 'Accept' } }));
  }

  async #reject(problem: Problem, route: string): Promise<EngineResponse> {
    return { ...(await this.#rejected(problem)), route };
  }

  /** Loaded at the first request; a failed load is retried at the next request. */
  #resource(route: string, load: () => Promise<Resource>): Promise<Resource> {
    const resource = this.#resources.get(route) ?? load();
    this.#resources.set(route, resource);
    resource.catch(() => this.#resources.delete(route));
    return resource;
  }
}

function contractFiles({
  definition: { document },
  publish,
  serverUrl,
  prefix,
}: DocsOptions): [string, () => Promise<Resource>][] {
  const from = () => import('./contractResource.ts');
  const load = async (file: JsonFile) =>
    (await from()).jsonResource(file, { document, serverUrl, prefix });
  return [
    ['/openapi.yaml', async () => (await from()).yamlResource(await publish(), serverUrl)],
    ['/openapi.json', () => load('json')],
    ['/docs/openapi.json', () => load('page')],
  ];
}

function pageFiles({ definition }: DocsOptions): [string, () => Promise<Resource>][] {
  const from = () => import('./page.ts');
  return [
    ['/docs', async () => (await from()).documentationPage(definition)],
    ...['page.js', 'page.css', 'swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'].map(
      (name): [string, () => Promise<Resource>] => [
        `/docs/${name}`,
        async () => (await from()).asset(name),
      ],
    ),
  ];
}

function ok(resource: Representation, route: string): EngineResponse {
  const length = { 'Content-Length': String(resource.bytes) };
  const headers = { ...cached(resource), ...length };
  return { status: 200, headers, body: resource.open(), route, cause: undefined };
}

function notModified(resource: Representation, route: string): EngineResponse {
  const { 'Content-Type': _, ...headers } = cached(resource);
  return { ...NO_BODY, status: 304, headers, route };
}

/** True for `/docs/`, and for `/` in a browser. */
function isPageAlias(route: string, accept: string | undefined): boolean {
  return route === '/docs/' || (route === '/' && prefersHtml(accept));
}

/**
 * Distinguishes browsers from clients of the API (RFC 9110, section 12.5.1).
 *
 * @returns true if the client names HTML, and prefers JSON less or as much
 */
function prefersHtml(accept: string | undefined): boolean {
  const ranges = acceptedRanges(accept);
  const weightOf = (type: string) => ranges.find(({ range }) => range.type === type)?.weight;
  const html = weightOf('text/html') ?? 0;
  const json = weightOf('application/json') ?? weightOf('application/*') ?? weightOf('*/*') ?? 0;
  return html > 0 && html >= json;
}

function redirect(location: string, route: string): EngineResponse {
  return { ...NO_BODY, status: 302, headers: { Location: location, Vary: 'Accept' }, route };
}

/** RFC 9110, section 13.1.1: entity tags with strong comparison, or `*`. */
function isCurrent(sent: string | undefined, etag: string): boolean {
  const tags = sent?.split(',').map((tag) => tag.trim());
  return tags === undefined || tags.includes(etag) || tags.includes('*');
}

/** The client revalidates at each request. */
function cached({ headers, etag }: Representation): Record<string, string> {
  return { ...headers, ETag: etag, 'Cache-Control': 'no-cache' };
}

function acceptEncodingOf({ 'accept-encoding': accepted }: HttpRequest['headers']) {
  return [accepted ?? []].flat().join();
}

/** RFC 9110, section 13.1.2: entity tags with weak comparison, or `*`. */
function isMatch(sent: string | undefined, etag: string): boolean {
  const tags = (sent ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
