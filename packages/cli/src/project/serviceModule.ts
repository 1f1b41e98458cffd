// Loads @stubwright/service, an optional peer: only some commands start a service.
import { createRequire } from 'node:module';

/** stubwright imports the parser of Koa by itself. */
const PEERS = ['@stubwright/service', 'koa', 'koa-bodyparser'];

/** @throws an error that names the packages which are not installed */
export async function serviceModule(command: string) {
  const { resolve } = createRequire(import.meta.url);
  const missing = PEERS.filter((name) => {
    try {
      return resolve(name) === '';
    } catch {
      return true;
    }
  });
  if (missing.length > 0) {
    const names = missing.join(' ');
    throw new Error(`${command} starts a service: run npm install --save-dev ${names}`);
  }
  return import('@stubwright/service');
}
