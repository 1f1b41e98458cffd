// Fastify: a hook that receives a request before its body is read.
import { fastify } from 'fastify';
import { requestListener } from 'stubwright/node';
import { api } from './api.ts';

const app = fastify();
const listener = requestListener(api);
app.addHook('onRequest', (request, reply, done) => {
  let isOurs = true;
  listener(request.raw, reply.raw, () => {
    isOurs = false;
    done();
  });
  if (isOurs) reply.hijack();
});
app.get('/health', () => 'ok');
await app.listen({ port: Number(process.env['PORT'] ?? 3000), host: '127.0.0.1' });
