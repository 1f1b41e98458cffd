// Selects the declared response of a status.

/**
 * @param responses by status code, range (`4XX`) or `default`
 * @param status a status code or a range
 * @returns the response of the code, else of its range, else `default`
 */
export function responseFor<Response>(
  responses: ReadonlyMap<string, Response>,
  status: number | string,
): Response | undefined {
  const code = String(status);
  const exact = responses.get(code);
  if (exact !== undefined) return exact;
  const family = code.charAt(0);
  return responses.get(`${family}XX`) ?? responses.get(`${family}xx`) ?? responses.get('default');
}
