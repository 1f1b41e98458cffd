// For @stubwright/service: bodies and responses on Koa. Any release may change it.

export {
  hasResponse,
  koaCollector,
  parsedBody,
  responseOf,
  setResponse,
} from './adapters/koaResponse.ts';
