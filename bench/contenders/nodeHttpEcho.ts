// Echo with node:http, without contract, token and store: the upper bound for Node.js.
import { createServer } from 'node:http';
import { host, port } from './settings.ts';

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { name, tag } = JSON.parse(Buffer.concat(chunks).toString());
    const body = JSON.stringify({ name, tag });
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    });
    response.end(body);
  });
}).listen(port, host);
