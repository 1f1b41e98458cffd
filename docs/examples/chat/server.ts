// Node's HTTP server: the contract, and a page that uses it.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { requestListener } from 'stubwright/node';
import { api } from './api.ts';

const page = readFileSync(new URL('index.html', import.meta.url));
const listener = requestListener(api);
createServer((req, res) => {
  listener(req, res, () => {
    const isPage = req.url === '/';
    res.writeHead(isPage ? 200 : 404, { 'Content-Type': 'text/html; charset=utf-8' });
    res.end(isPage ? page : undefined);
  });
}).listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
