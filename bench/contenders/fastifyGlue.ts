// Fastify with fastify-openapi-glue and its securityHandlers, one insert per request.
import Fastify, { type FastifyError, type FastifyRequest } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { type NewPlant, openPlants } from './plants.ts';
import { contract, host, isAuthorized, port } from './settings.ts';

const plants = openPlants();
// docs/AJVstrictMode.md: OpenAPI's `example` is not a JSON Schema keyword.
const fastify = Fastify({ ajv: { customOptions: { strict: false } } });
// docs/securityHandlers.md; Fastify's own error body is not the contract's Error.
fastify.setErrorHandler<FastifyError>((error, _request, reply) => {
  const status = error.statusCode ?? 500;
  reply.code(status).send({ error: status * 100, message: error.message });
});
fastify.register(openapiGlue, {
  specification: contract,
  serviceHandlers: {
    async createPlant({ body }: FastifyRequest<{ Body: NewPlant }>) {
      plants.create(body);
      return { name: body.name, tag: body.tag };
    },
  },
  securityHandlers: {
    async bearerAuth({ headers }: FastifyRequest) {
      if (!isAuthorized(headers.authorization)) throw new Error('unauthorized');
    },
  },
});
await fastify.listen({ port, host });
