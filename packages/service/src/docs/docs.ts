// Serves the contract as a file and the documentation page, at paths outside the contract.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  acceptedRanges,
  type Contract,
  internalError,
  methodNotAllowed,
  numbered,
  onceFor,
  type Problem,
  type Publish,
  preconditionFailed,
  sha256,
  unknownPath,
} from '@stubwright/contract';
import type { OpenedVersion, Versions } from '@stubwright/versions';
import {
  type Engine,
  type EngineResponse,
  type HttpRequest,
  originForm,
} from 'stubwright/internals';

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
    this.#loaders = new Map(Object.entries({ ...contractFiles(options), ...pageFiles(options) }));
  }

  /** Never rejects. @returns undefined for other paths, unless a browser may have requested them */
  async respond({ method, url, headers }: HttpRequest): Promise<EngineResponse | undefined> {
    // Not normalized, so that a proxy that filters by path compares the same path.
    const [path = ''] = originForm(url).split('?');
    const isRead = method === 'GET' || method === 'HEAD';
    const isKnown = (route: string) =>
      this.#loaders.has(route) || (isRead && isPageAlias(route, headers.accept));
    const bases = [...this.#bases].filter((text) => path.startsWith(text));
    const base = bases.find((base) => isKnown(path.slice(base.length)));
    if (base === undefined) return isRead ? this.#notFound(bases[0]!, headers.accept) : undefined;
    const route = path.slice(base.length);
    const load = this.#loaders.get(route);
    if (load === undefined) return redirect(`${base}/docs`, route);
    if (method === 'OPTIONS') return { ...NO_BODY, route, status: 204, headers: { Allow: ALLOW } };
    if (!isRead) return this.#reject(methodNotAllowed(ALLOW), route);
    try {
      const resource = await this.#resource(route, load);
      const file = acceptsGzip(headers) ? resource.gzip : resource.plain;
      if (!isCurrent(headers['if-match'], file.etag))
        return this.#reject(preconditionFailed(), route);
      const isCached = isMatch(headers['if-none-match'], file.etag);
      return isCached ? notModified(file, route) : ok(file, route);
    } catch (error) {
      return this.#reject(internalError('internal error', error), route);
    }
  }

  /** @param base the path above `/docs` */
  async #notFound(base: string, accept: string | undefined): Promise<EngineResponse> {
    if (prefersHtml(accept)) {
      const { notFoundPage } = await import('./page.ts');
      const { text, headers } = notFoundPage(this.#definition, `${base}/docs`);
      return { status: 404, headers, body: text, route: undefined, cause: undefined };
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

type Responding = Pick<Docs, 'respond'>;

/**
 * The documents of the version that a request names.
 *
 * @param baseUrl the public URL of the service; undefined if BASE_URL is not set
 */
export function versionedDocs(
  current: Responding,
  versions: Versions,
  baseUrl: URL | undefined,
): Responding {
  const docsOf = onceFor((version: OpenedVersion) => new Docs(optionsOf(version, baseUrl)));
  return {
    async respond(request: HttpRequest): Promise<EngineResponse | undefined> {
      const [path = ''] = originForm(request.url).split('?');
      const version = await versions.selected({ headers: request.headers, path });
      const docs = version === undefined ? current : docsOf(version);
      const response = await docs.respond(request);
      return response && versions.engine.varying(response);
    },
  };
}

function optionsOf({ contract, basePath, engine }: OpenedVersion, baseUrl: URL | undefined) {
  const { definition, publish } = contract;
  const prefix = basePath ?? definition.operations[0]?.basePaths[0] ?? '';
  const serverUrl = baseUrl === undefined ? basePath : new URL(prefix || '/', baseUrl).href;
  return { definition, publish, prefix, serverUrl, reject: engine.reject };
}

type Loaders = Readonly<Record<string, () => Promise<Resource>>>;

/** Tools of any origin may read the contract. */
function contractFiles({ definition: { document }, publish, serverUrl }: DocsOptions): Loaders {
  const loaded = (type: string, text: string) =>
    resourceOf(Buffer.from(text), { 'Access-Control-Allow-Origin': '*', 'Content-Type': type });
  const from = () => import('./contractFile.ts');
  return {
    '/openapi.yaml': async () =>
      loaded('application/yaml', (await from()).yamlText(await publish(), serverUrl)),
    '/openapi.json': async () =>
      loaded('application/json', (await from()).jsonText(document, serverUrl)),
  };
}

function pageFiles({ definition, prefix }: DocsOptions): Loaders {
  const script = { 'Content-Type': 'text/javascript; charset=utf-8' };
  const style = { 'Content-Type': 'text/css; charset=utf-8' };
  const read = (name: string) => readFile(join(import.meta.dirname, 'browser', name));
  return {
    '/docs': async () => {
      const { text, headers } = (await import('./page.ts')).documentationPage(definition, prefix);
      return resourceOf(Buffer.from(text), headers);
    },
    '/docs/page.js': async () => resourceOf(await read('page.js'), script),
    '/docs/page.css': async () => resourceOf(await read('page.css'), style),
    '/docs/scalar.js': async () => {
      const compressed = await read('scalar.js.gz');
      return resourceOf(await promisify(gunzip)(compressed), script, compressed);
    },
  };
}

interface Representation {
  readonly headers: Readonly<Record<string, string>>;
  /** In quotes (RFC 9110, section 8.8.3); differs per content coding. */
  readonly etag: string;
  readonly bytes: Uint8Array;
}

interface Resource {
  readonly plain: Representation;
  readonly gzip: Representation;
}

async function resourceOf(
  bytes: Buffer,
  ownHeaders: Readonly<Record<string, string>>,
  compressed?: Buffer,
): Promise<Resource> {
  const hash = sha256(bytes).slice(0, 32);
  const headers = { ...ownHeaders, 'X-Content-Type-Options': 'nosniff', Vary: 'Accept-Encoding' };
  return {
    plain: { headers, etag: `"${hash}"`, bytes },
    gzip: {
      headers: { ...headers, 'Content-Encoding': 'gzip' },
      etag: `"${hash}-gzip"`,
      // In the thread pool of libuv.
      bytes: compressed ?? (await promisify<Uint8Array, Buffer>(gzip)(bytes)),
    },
  };
}

/** RFC 9110, section 12.5.3. */
function acceptsGzip({ 'accept-encoding': accepted }: HttpRequest['headers']): boolean {
  const codings = [accepted ?? []].flat().join().toLowerCase().split(',');
  return codings.some((coding) => /^\s*(?:gzip|\*)\s*(?:$|;(?!\s*q=0(?:\.0*)?\s*$))/.test(coding));
}

function ok({ headers, etag, bytes }: Representation, route: string): EngineResponse {
  const length = { 'Content-Length': String(bytes.length) };
  return {
    status: 200,
    headers: { ...cached(headers, etag), ...length },
    body: bytes,
    route,
    cause: undefined,
  };
}

function notModified({ headers, etag }: Representation, route: string): EngineResponse {
  const { 'Content-Type': _, ...rest } = cached(headers, etag);
  return { ...NO_BODY, status: 304, headers: rest, route };
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
function cached(headers: Readonly<Record<string, string>>, etag: string): Record<string, string> {
  return { ...headers, ETag: etag, 'Cache-Control': 'no-cache' };
}

/** RFC 9110, section 13.1.2: entity tags with weak comparison, or `*`. */
function isMatch(sent: string | undefined, etag: string): boolean {
  const tags = (sent ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
