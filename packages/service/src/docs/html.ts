// The HTML pages of a contract.
import type { Contract } from '@stubwright/contract';

export interface HtmlPage {
  /** @param title of the contract, escaped */
  readonly title: (title: string) => string;
  readonly head: string;
  readonly body: (title: string) => string;
}

export function htmlPage({ document }: Contract, { title, head, body }: HtmlPage): string {
  const name = escapeHtml(String(document.info?.title ?? 'API'));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title(name)}</title>
${head}
</head>
<body>
${body(name)}
</body>
</html>
`;
}

/** @param sources the directives of the Content-Security-Policy for what the page loads */
export function htmlHeaders(sources: readonly string[]): Record<string, string> {
  const directives = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': ["default-src 'none'", ...sources, ...directives].join('; '),
    'Referrer-Policy': 'no-referrer',
  };
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
