// The base paths of Server Objects.

interface Server {
  readonly url?: unknown;
  readonly variables?: Readonly<Record<string, Variable>>;
}

interface Variable {
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
}

/** Maximum number of combinations of server variables. */
const MAX_URLS = 100;

/**
 * Expands each server variable to its default and the values of its `enum`. A path segment that is a
 * variable without `enum` is also returned as `{name}`, which matches any segment.
 *
 * @returns the distinct paths, the first server with its defaults first; `''` for none
 */
export function basePathsOf(servers: readonly Server[] = []): readonly string[] {
  const paths = servers.flatMap(urlsOf).map(pathOf);
  return paths.length === 0 ? [''] : [...new Set(paths)];
}

/** A query, a fragment, white space, an authority, a scheme, or a dot segment, which clients remove. */
const NO_PATH = /[?#\s]|^\/\/|:\/\/|(?:^|\/)\.\.?(?:\/|$)/;

/**
 * @param path with or without a slash at the start and at the end
 * @returns the path as the start of routes; undefined if it is not a path
 */
export function normalizedBasePath(path: unknown): string | undefined {
  if (typeof path !== 'string' || NO_PATH.test(path)) return undefined;
  const trimmed = path.replace(/^\/|\/+$/g, '');
  return trimmed === '' ? '' : `/${trimmed}`;
}

function urlsOf({ url, variables = {} }: Server): string[] {
  let urls = [String(url ?? '/')];
  for (const [name, variable] of Object.entries(variables)) {
    const placeholder = `{${name}}`;
    const values = valuesOf(urls[0]!, placeholder, variable);
    if (values.length > 0 && urls.length * values.length <= MAX_URLS) {
      urls = values.flatMap((value) => urls.map((url) => url.replaceAll(placeholder, value)));
    }
  }
  return urls;
}

function valuesOf(url: string, placeholder: string, { default: usual, enum: choices }: Variable) {
  const all: unknown[] = Array.isArray(choices) ? [usual, ...choices] : [usual];
  const values = all.filter((value) => value !== undefined).map(String);
  const isSegment = url.includes(`/${placeholder}`) && pathOf(url).split('/').includes(placeholder);
  const isOpen = isSegment && choices === undefined && /^[^/]+$/.test(values[0] ?? placeholder);
  return isOpen ? [...values, placeholder] : values;
}

/** Resolves a URL against `/openapi.yaml`, the URL of the document (RFC 3986, section 5.2). */
function pathOf(url: string): string {
  const path = url.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, '').replace(/[?#].*$/, '');
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    const dots = segment.replace(/%2e/gi, '.');
    if (dots === '..') segments.pop();
    else if (dots !== '.') segments.push(segment);
  }
  return segments
    .join('/')
    .replace(/\/+$/, '')
    .replace(/^(?=[^/])/, '/');
}
