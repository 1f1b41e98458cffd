// The response to a browser at an unknown path.

import { createHash } from 'node:crypto';
import type { Contract } from '@stubwright/contract';
import type { EngineResponse } from 'stubwright/internals';
import { documentTitle, escapeHtml } from './html.ts';

const STYLE = `
body { max-width: 36rem; margin: 15vh auto; padding: 0 1rem; font: 1.1rem/1.5 sans-serif; }
html { background: #fafafa; color: #2b2f38; }
a { color: #1d5fa8; }
@media (prefers-color-scheme: dark) {
  html { background: #1c2022; color: #e4e6e6; }
  a { color: #7cbcff; }
}
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** @param docs the path of the documentation page */
export function notFoundPage(definition: Contract, docs: string): EngineResponse {
  const title = escapeHtml(documentTitle(definition));
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not found: ${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Not found</h1>
<p>${title} has no such page. <a href="${escapeHtml(docs)}">Read its documentation</a>.</p>
</main>
</body>
</html>
`;
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'no-referrer',
    Vary: 'Accept',
  };
  return { status: 404, headers, body, route: undefined, cause: undefined };
}
