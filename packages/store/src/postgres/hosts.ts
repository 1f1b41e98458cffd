// Splits a PostgreSQL URL with several hosts, as in libpq connection URIs.

const URL_PARTS = /^(postgres(?:ql)?:\/\/)([^@/?#]*@)?([^/?#]*)([^?#]*)(\?[^#]*)?$/i;

/** The values of target_session_attrs that permit a primary. */
const WRITABLE = new Set(['any', 'read-write', 'primary']);

/**
 * Splits `postgres://user@h1:5432,h2:5433/db?target_session_attrs=read-write`
 * (https://www.postgresql.org/docs/18/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS).
 *
 * @returns one URL per host; undefined for an invalid URL, or one that requires a standby
 */
export function urlsOfHosts(databaseUrl: string): string[] | undefined {
  const [, scheme, login = '', hosts, path, query = ''] = URL_PARTS.exec(databaseUrl) ?? [];
  if (scheme === undefined || hosts === undefined) return undefined;
  const parameters = new URLSearchParams(query);
  if (!WRITABLE.has(parameters.get('target_session_attrs') ?? 'any')) return undefined;
  // Unknown to node-postgres.
  parameters.delete('target_session_attrs');
  const rest = parameters.size === 0 ? '' : `?${parameters}`;
  const urls = hosts.split(',').map((host) => `${scheme}${login}${host}${path}${rest}`);
  return urls.every((url) => URL.canParse(url)) ? urls : undefined;
}

/** @returns the URL without password and parameters */
export function withoutPassword(databaseUrl: string): string {
  const [, scheme = 'postgres://', login = '', hosts, path] = URL_PARTS.exec(databaseUrl) ?? [];
  if (hosts === undefined) return 'postgres:';
  const [user] = login.split(/[:@]/);
  return `${scheme}${user && `${user}@`}${hosts}${path}`;
}
