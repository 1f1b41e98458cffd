// The path of a server: what every request's path starts with.

/** The part of a Server Object that says where it is. */
interface Server {
  readonly url?: unknown;
  readonly variables?: Readonly<
    Record<string, { readonly default?: unknown; readonly enum?: readonly unknown[] }>
  >;
}

/** @returns the paths of Server Objects; `''` stands for none */
export function basePathsOf(servers: readonly Server[] = []): readonly string[] {
  const paths = servers.map(basePathOf);
  return paths.length === 0 ? [''] : [...new Set(paths)];
}

/** @returns the path of a Server Object, its variables at their defaults, without a trailing slash */
function basePathOf({ url, variables }: Server): string {
  const filled = String(url ?? '/').replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const { default: fallback, enum: choices } = variables?.[name] ?? {};
    return String(fallback ?? choices?.[0] ?? whole);
  });
  const path = filled.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/]*/i, '').replace(/[?#].*$/, '');
  return path.replace(/\/+$/, '').replace(/^(?=[^/])/, '/');
}
