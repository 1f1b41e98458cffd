// The page, and its sign-in.
import { readFile } from 'node:fs/promises';
import type { Middleware } from 'koa';
import type { Issuer } from './issuer.ts';

const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['../index.html', 'text/html; charset=utf-8'],
  '/page.css': ['../generated/page.css', 'text/css'],
  '/page.js': ['../generated/page.js', 'text/javascript'],
};

export function pageOf(issuer: Issuer): Middleware {
  return async (ctx, next) => {
    const [file, type] = FILES[ctx.path] ?? [];
    if (file !== undefined && type !== undefined) {
      ctx.type = type;
      ctx.body = await readFile(new URL(file, import.meta.url));
    } else if (ctx.path === '/sign-in' && ctx.method === 'POST') {
      ctx.body = await issuer.tokenFor(String(ctx.query['name']));
    } else {
      await next();
    }
  };
}
