// The URLs of an operation, as patterns.

/** @returns a pattern of URLs without a query @param servers with variables in braces */
export function patternOf(servers: readonly string[], path: string): RegExp {
  const bases = servers.map(basePattern);
  const [plain = ''] = path.split(/[?#]/);
  return new RegExp(`^(?:${bases.join('|')})${templatePattern(plain, '[^/]+')}$`);
}

/** A relative server is one of any origin. */
function basePattern(server: string): string {
  const [plain = ''] = server.split(/[?#]/);
  const isAbsolute = /^[a-z]+:/i.test(plain);
  const hasVariables = plain.includes('{');
  const url =
    isAbsolute && !hasVariables
      ? new URL(plain).href
      : plain.replace(HOST, (host) => host.toLowerCase());
  const path = templatePattern(url.replace(/\/+$/, ''), '.+?');
  if (isAbsolute || plain.startsWith('{')) return path;
  return `https?://[^/]+${plain.startsWith('/') || path === '' ? '' : '/'}${path}`;
}

const HOST = /^[a-z]+:\/\/[^/]+/i;

function templatePattern(template: string, variable: string): string {
  return template
    .split(/\{[^{}]*\}/)
    .map((text) => encoded(text).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join(variable);
}

/** As in the path of a URL; the hyphens keep white space and dots. */
function encoded(text: string): string {
  return new URL(`http://h/-${text}-`).pathname.slice(2, -1);
}
