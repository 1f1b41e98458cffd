// Recorded requests as HAR entries.

export interface Recorded {
  readonly caller?: string;
  /** Of November 2025, or a date. */
  readonly day: number | string;
  readonly method?: string;
  readonly path: string;
  readonly body?: string | undefined;
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
  readonly response?: object;
}

/** @returns the entry, which has its caller in the header X-App */
export function harEntry(recorded: Recorded): object {
  const { caller = 'web', day, method = 'GET', path, body, headers = [], response } = recorded;
  const date = typeof day === 'string' ? day : `2025-11-${String(day).padStart(2, '0')}`;
  const postData = { mimeType: 'application/json', text: body };
  return {
    startedDateTime: `${date}T10:00:00.000Z`,
    request: {
      ...{ method, url: `https://toys.test${path}` },
      headers: [{ name: 'X-App', value: caller }, ...headers],
      ...(body !== undefined && { postData }),
    },
    response: { status: 200, ...response },
  };
}

export function jsonLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
