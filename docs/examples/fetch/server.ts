// A fetch handler without a framework: Request -> Response. Node serves it with srvx, Bun and Deno without.
import { serve } from 'srvx';
import { fetchHandler } from 'stubwright/fetch';
import { api } from './api.ts';

const handle = fetchHandler(api);
serve({
  port: Number(process.env['PORT'] ?? 3000),
  hostname: '127.0.0.1',
  silent: true,
  fetch(request) {
    return new URL(request.url).pathname === '/health' ? new Response('ok') : handle(request);
  },
});
