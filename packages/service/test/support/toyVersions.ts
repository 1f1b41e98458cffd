// A contract of toys and an older version of it, whose toys have `name` instead of `title`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { Contract, type LoadedContract } from '@stubwright/contract';
import { temporaryFolder } from '@stubwright/test-support/temporaryFolder';
import type { Environment } from '../../src/index.ts';
import { type StartOptions, startedServices } from './startedServices.ts';

/** @param fields of the operation getToy */
function contractOf(version: string, property: string, fields: object = {}) {
  const toy = {
    'application/json': {
      schema: {
        ...{ type: 'object', required: [property], additionalProperties: false },
        properties: { [property]: { type: 'string' } },
      },
    },
  };
  const operation = (operationId: string, scope: string) => ({
    operationId,
    security: [{ bearer: [scope] }],
    responses: {
      200: { description: 'ok', content: toy },
      default: { description: 'no', content: { 'application/problem+json': {} } },
    },
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Toys', version },
    paths: {
      '/toys': {
        get: { ...operation('getToy', 'read'), ...fields },
        post: { ...operation('storeToy', 'write'), requestBody: { required: true, content: toy } },
      },
    },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
}

const CONVERTERS = `const reply = ({ status, body }) => ({ status, body: { name: body.title } });
export const converters = { operations: { getToy: { reply }, storeToy: {
  reply, request: ({ body }) => ({ body: { title: body.name } }),
} } };`;

export const COMPATIBILITY = `
severities: {}
served:
  header: Api-Version
  versions:
    - version: '1.4.0'
      path: /v1
      contract: 1.4.0.json
      converters: 1.4.0.mjs
`;

const robot = () => ({ status: 200, body: { title: 'robot' } });

/** The versions of a file of tests. */
export function toyVersions() {
  const startService = startedServices();
  const folder = temporaryFolder();
  afterAll(folder.remove);

  /** Writes a file beside those of the older version. @returns its path */
  function write(name: string, text: string): string {
    writeFileSync(join(folder.path, name), text);
    return join(folder.path, name);
  }
  write('1.4.0.json', JSON.stringify(contractOf('1.4.0', 'name')));
  write('1.4.0.mjs', CONVERTERS);
  const compatibility = write('compatibility.yaml', COMPATIBILITY);

  /** Starts a service of both versions. @param fields of getToy in the current contract */
  function start(options: StartOptions = {}, env: Environment = {}, fields: object = {}) {
    const definition = new Contract(contractOf('2.0.0', 'title', fields) as never);
    const contract: LoadedContract = {
      ...{ definition, warnings: [], files: [] },
      publish: async () => ({ text: 'the current contract', servers: [0, 0] }),
    };
    const handlers = { getToy: robot, storeToy: robot };
    const verifiers: StartOptions['verifiers'] = (verify) => ({ bearer: verify });
    return startService({ contract, handlers, verifiers, compatibility, ...options }, env);
  }

  return { start, write };
}
