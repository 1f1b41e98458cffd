// Which of an operation's declared responses applies to a status.

/**
 * @param responses by status code, range (`4XX`) or `default`
 * @param status also a range, which has no code of its own
 * @returns the response of the code, else of its range, else the default
 */
export function responseFor<Response>(
  responses: ReadonlyMap<string, Response>,
  status: number | string,
): Response | undefined {
  const [family] = String(status);
  return (
    responses.get(String(status)) ??
    responses.get(`${family}XX`) ??
    responses.get(`${family}xx`) ??
    responses.get('default')
  );
}
