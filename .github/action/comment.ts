// Writes a file into the one comment that a pull request has for a contract: `comment.ts CONTRACT FILE`.
import { readFileSync } from 'node:fs';

/** More would be 3,000 comments. */
const MAX_PAGES = 30;
const PER_PAGE = 100;

interface Comment {
  readonly id: number;
  readonly body?: string;
}

const [contract = '', file = ''] = process.argv.slice(2);
const { GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_EVENT_PATH = '', TOKEN } = process.env;
const { pull_request: request } = JSON.parse(readFileSync(GITHUB_EVENT_PATH, 'utf8'));
const repository = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}`;
// Unlike a path, JSON in which `-` is escaped cannot end the HTML comment.
const marker = `<!-- stubwright ${JSON.stringify(contract).replaceAll('-', '\\u002d')} -->`;
const body = JSON.stringify({ body: `${marker}\n${readFileSync(file, 'utf8')}` });

const own = await ownComment();
const response =
  own === undefined
    ? await call('POST', `/issues/${request.number}/comments`, body)
    : await call('PATCH', `/issues/comments/${own.id}`, body);
// The token of a pull request from a fork can only read: the summary of the job has the same text.
if (!response.ok) warn(`${response.status} ${response.statusText}`);

async function ownComment(): Promise<Comment | undefined> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = `per_page=${PER_PAGE}&page=${page}`;
    const found = await call('GET', `/issues/${request.number}/comments?${query}`);
    if (!found.ok) return undefined;
    const comments = (await found.json()) as Comment[];
    const own = comments.find((comment) => comment.body?.startsWith(marker));
    if (own !== undefined || comments.length < PER_PAGE) return own;
  }
  return undefined;
}

function call(method: string, path: string, body?: string): Promise<Response> {
  return fetch(repository + path, {
    method,
    headers: {
      Accept: 'application/vnd.github+json',
      Authorization: `Bearer ${TOKEN}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body: body ?? null,
    signal: AbortSignal.timeout(30_000),
  });
}

function warn(reason: string): void {
  process.stdout.write(`::warning::The comment is not written: got ${reason}\n`);
}
