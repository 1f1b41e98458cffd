// The hosts of a PostgreSQL URL, which may name several as libpq's connection URIs do.

const URL_PARTS = /^(postgres(?:ql)?:\/\/)([^@/?#]*@)?([^/?#]*)([^?#]*)(\?[^#]*)?$/i;

/** The service writes, so it needs a primary, also for `any`. */
const WRITABLE = new Set(['any', 'read-write', 'primary']);

/**
 * Splits a URL with several hosts (`postgres://user@h1:5432,h2:5433/db?target_session_attrs=read-write`)
 * into one URL a host (https://www.postgresql.org/docs/18/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS).
 *
 * @returns undefined for a string that is not such a URL, or one that asks for a standby
 */
export function urlsOfHosts(databaseUrl: string): string[] | undefined {
  const [, scheme, login = '', hosts, path, query = ''] = URL_PARTS.exec(databaseUrl) ?? [];
  if (scheme === undefined || hosts === undefined) return undefined;
  const parameters = new URLSearchParams(query);
  if (!WRITABLE.has(parameters.get('target_session_attrs') ?? 'any')) return undefined;
  // node-postgres has no use for it.
  parameters.delete('target_session_attrs');
  const rest = parameters.size === 0 ? '' : `?${parameters}`;
  const urls = hosts.split(',').map((host) => `${scheme}${login}${host}${path}${rest}`);
  return urls.every((url) => URL.canParse(url)) ? urls : undefined;
}

/** @returns the URL without what may be secret: the password and the parameters */
export function withoutPassword(databaseUrl: string): string {
  const [, scheme = 'postgres://', login = '', hosts, path] = URL_PARTS.exec(databaseUrl) ?? [];
  if (hosts === undefined) return 'postgres:';
  const [user] = login.split(/[:@]/);
  return `${scheme}${user && `${user}@`}${hosts}${path}`;
}
