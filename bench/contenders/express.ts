// Express with express-openapi-validator and its security handlers, one insert per request.
import express, { type ErrorRequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { openPlants } from './plants.ts';
import { contract, host, isAuthorized, port } from './settings.ts';

const plants = openPlants();
const app = express();
app.use(express.json());
app.use(
  OpenApiValidator.middleware({
    apiSpec: contract,
    validateSecurity: {
      handlers: { bearerAuth: (request) => isAuthorized(request.headers.authorization) },
    },
  }),
);
app.post('/plants', (request, response) => {
  plants.create(request.body);
  const { name, tag } = request.body;
  response.json({ name, tag });
});
const onError: ErrorRequestHandler = (error, _request, response, _next) => {
  const status = error.status ?? 500;
  response.status(status).json({ error: status * 100, message: error.message });
};
app.use(onError);
app.listen(port, host);
