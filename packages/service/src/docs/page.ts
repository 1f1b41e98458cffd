// The documentation page: Swagger UI with a strict Content-Security-Policy and no external resources.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { Contract } from '@stubwright/contract';
import { htmlHeaders, htmlPage } from './html.ts';
import { fileResource, type Resource, textResource } from './resource.ts';

/** Swagger UI sets styles from scripts, which `style-src 'self'` permits, and has icons in `data:` URLs. */
const SOURCES = [
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
];

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};

/** URLs are relative, for any base path and any proxy. */
export function documentationPage(definition: Contract): Resource {
  const text = htmlPage(definition, {
    title: (name) => name,
    head: `<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">`,
    body: () => `<div id="page"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/page.js"></script>`,
  });
  return textResource(text, htmlHeaders(SOURCES));
}

/** Written by packages/tools/src/pack/pack.ts: the dependency of swagger-ui-dist sends data from installations. */
const PACKED = join(import.meta.dirname, 'swagger-ui/package.json');

/** @param name the name of a file of swagger-ui-dist, or of `browser/` */
export async function asset(name: string): Promise<Resource> {
  const type = TYPES[extname(name)]!;
  if (name.startsWith('page.')) {
    const text = await readFile(join(import.meta.dirname, 'browser', name), 'utf8');
    return textResource(text, { 'Content-Type': type });
  }
  const manifest = existsSync(PACKED)
    ? PACKED
    : createRequire(import.meta.url).resolve('swagger-ui-dist/package.json');
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  return fileResource(join(dirname(manifest), name), type, version);
}
