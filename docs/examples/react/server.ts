// Node's HTTP server: the contract, and a page that uses it.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { requestListener } from 'stubwright/node';
import { api } from './api.ts';

const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page.js': ['generated/page.js', 'text/javascript'],
};
const listener = requestListener(api);
createServer((req, res) => {
  listener(req, res, () => {
    const [file, type] = FILES[req.url ?? ''] ?? [];
    if (file === undefined || type === undefined) return res.writeHead(404).end();
    return res
      .writeHead(200, { 'Content-Type': type })
      .end(readFileSync(new URL(file, import.meta.url)));
  });
}).listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
