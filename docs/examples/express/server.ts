// Express: a request listener before the parsers of bodies.
import express from 'express';
import { requestListener } from 'stubwright/node';
import { api } from './api.ts';

const app = express();
app.use(requestListener(api));
app.get('/health', (_req, res) => {
  res.send('ok');
});
app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
