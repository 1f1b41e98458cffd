// Hono: a fetch handler as the last route.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { fetchHandler } from 'stubwright/fetch';
import { api } from './api.ts';

const handle = fetchHandler(api);
const app = new Hono();
app.get('/health', (c) => c.text('ok'));
app.all('*', (c) => handle(c.req.raw));
serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000), hostname: '127.0.0.1' });
