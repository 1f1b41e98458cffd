// The response to a browser at an unknown path.
import { createHash } from 'node:crypto';
import type { Contract } from '@stubwright/contract';
import type { EngineResponse } from 'stubwright/internals';
import { escapeHtml, htmlHeaders, htmlPage } from './html.ts';

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
const HEADERS = { ...htmlHeaders([`style-src 'sha256-${STYLE_HASH}'`]), Vary: 'Accept' };

/** @param docs the path of the documentation page */
export function notFoundPage(definition: Contract, docs: string): EngineResponse {
  const body = htmlPage(definition, {
    title: (name) => `Not found: ${name}`,
    head: `<style>${STYLE}</style>`,
    body: (name) => `<main>
<h1>Not found</h1>
<p>${name} has no such page. <a href="${escapeHtml(docs)}">Read its documentation</a>.</p>
</main>`,
  });
  return { status: 404, headers: HEADERS, body, route: undefined, cause: undefined };
}
