// The path of a server: what every request's path starts with.

/** The part of a Server Object that says where it is. */
interface Server {
  readonly url?: unknown;
  readonly variables?: Readonly<Record<string, Variable>>;
}

interface Variable {
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
}

/** More combinations of variables than these are not listed. */
const MAX_URLS = 100;

/**
 * @returns the paths of Server Objects, first the one of the first server at its defaults; `''` stands
 *   for none. A variable takes its default and each value of its `enum`. Without an `enum` a segment
 *   of the path stays as `{name}` too, and matches any segment.
 */
export function basePathsOf(servers: readonly Server[] = []): readonly string[] {
  const paths = servers.flatMap(urlsOf).map(pathOf);
  return paths.length === 0 ? [''] : [...new Set(paths)];
}

/** The URLs of a server with every value of its variables. */
function urlsOf({ url, variables = {} }: Server): string[] {
  let urls = [String(url ?? '/')];
  for (const [name, variable] of Object.entries(variables)) {
    const placeholder = `{${name}}`;
    const values = valuesOf(urls[0]!, placeholder, variable);
    if (values.length > 0 && urls.length * values.length <= MAX_URLS) {
      urls = values.flatMap((value) => urls.map((each) => each.replaceAll(placeholder, value)));
    }
  }
  return urls;
}

function valuesOf(url: string, placeholder: string, { default: usual, enum: choices }: Variable) {
  const values = [usual, ...(choices ?? [])].filter((value) => value !== undefined).map(String);
  const isSegment = url.includes(`/${placeholder}`) && pathOf(url).split('/').includes(placeholder);
  const isOpen = isSegment && choices === undefined && /^[^/]+$/.test(values[0] ?? placeholder);
  return isOpen ? [...values, placeholder] : values;
}

function pathOf(url: string): string {
  const path = url.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/]*/i, '').replace(/[?#].*$/, '');
  return path.replace(/\/+$/, '').replace(/^(?=[^/])/, '/');
}
