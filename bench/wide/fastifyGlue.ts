// Fastify with fastify-openapi-glue.
import Fastify from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { contract, host, port } from '../contenders/settings.ts';

const fastify = Fastify({ ajv: { customOptions: { strict: false } } });
fastify.register(openapiGlue, {
  specification: contract,
  serviceHandlers: {
    async putItem() {
      return { accepted: true };
    },
  },
});
await fastify.listen({ port, host });
