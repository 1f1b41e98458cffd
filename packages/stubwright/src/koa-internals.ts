// For @stubwright/service: bodies and responses on Koa. Any release may change it.

export {
  bodyParserFor,
  hasResponse,
  KoaBody,
  parsedBody,
  responseOf,
  setResponse,
} from './adapters/koaResponse.ts';
