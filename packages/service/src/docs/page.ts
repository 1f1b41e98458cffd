// The HTML pages: the documentation page, and the response to a browser at an unknown path.
import { createHash } from 'node:crypto';
import type { Contract } from '@stubwright/contract';

interface Html {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** @param server the base path of the operations; URLs of the page's files are relative, for any proxy */
export function documentationPage(definition: Contract, server: string): Html {
  const title = titleOf(definition);
  return {
    text: htmlPage(
      title,
      `<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/page.css">
<script defer src="docs/page.js"></script>
<script defer src="docs/scalar.js"></script>`,
      `<div id="page" data-server="${escapeHtml(server || '/')}"></div>`,
    ),
    headers: htmlHeaders([
      "script-src 'self'",
      // Scalar adds style elements. They load nothing: images and fonts have the rules below.
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "font-src 'self' data:",
      `connect-src ${["'self'", ...issuerOrigins(definition)].join(' ')}`,
    ]),
  };
}

/** @returns the origins that issue tokens for the security schemes */
function issuerOrigins({ securitySchemes }: Contract): ReadonlySet<string> {
  const urls = Array.from(securitySchemes.values()).flatMap(({ flows, openIdConnectUrl }) => [
    openIdConnectUrl,
    ...Object.values(flows).flatMap((flow) => [
      flow.authorizationUrl,
      flow.deviceAuthorizationUrl,
      flow.tokenUrl,
      flow.refreshUrl,
    ]),
  ]);
  const origins = urls.map((url) => (typeof url === 'string' ? URL.parse(url)?.origin : undefined));
  return new Set(origins.map(String).filter((origin) => ORIGIN.test(origin)));
}

/** The host of a URL may have `;`, `,` and `*`, which a policy reads as more directives, policies and hosts. */
const ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?$/;

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

/** @param docs the path of the documentation page */
export function notFoundPage(definition: Contract, docs: string): Html {
  const title = titleOf(definition);
  const main = `<main>
<h1>Not found</h1>
<p>${title} has no such page. <a href="${escapeHtml(docs)}">Read its documentation</a>.</p>
</main>`;
  return {
    text: htmlPage(`Not found: ${title}`, `<style>${STYLE}</style>`, main),
    headers: { ...htmlHeaders([`style-src 'sha256-${STYLE_HASH}'`]), Vary: 'Accept' },
  };
}

function htmlPage(title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`;
}

/** @param sources the directives of the Content-Security-Policy for the files that the page loads */
function htmlHeaders(sources: readonly string[]): Record<string, string> {
  const directives = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': ["default-src 'none'", ...sources, ...directives].join('; '),
    'Referrer-Policy': 'no-referrer',
  };
}

function titleOf({ document }: Contract): string {
  return escapeHtml(String(document.info?.title ?? 'API'));
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
