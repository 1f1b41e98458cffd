// Express with express-openapi-validator.
import express, { type ErrorRequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { contract, host, port } from '../contenders/settings.ts';

const app = express();
app.use(express.json());
app.use(OpenApiValidator.middleware({ apiSpec: contract }));
app.post('/items/*rest', (_request, response) => {
  response.json({ accepted: true });
});
const onError: ErrorRequestHandler = (error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ message: error.message });
};
app.use(onError);
app.listen(port, host);
