// fastifyGlue.ts with this project's store and its group commit.
import Fastify, { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { openPlants } from './ourStore.ts';
import type { NewPlant } from './plants.ts';
import { contract, host, isAuthorized, port } from './settings.ts';

const plants = await openPlants(process.env.DATABASE_URL!);
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
    async createPlant({ body }: FastifyRequest<{ Body: NewPlant }>, reply: FastifyReply) {
      const outcome = await plants.create({ ...body, id: BigInt(body.id) });
      if (outcome === 'different') {
        return reply.code(409).send({ error: 40900, message: `id ${body.id} is taken` });
      }
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
process.on('SIGTERM', async () => {
  await fastify.close();
  await plants.close();
  process.exit();
});
