// For @stubwright/service: bodies and responses on Koa. Any release may change it.

export { hasResponse, responseOf, setResponse } from './adapters/koaResponse.ts';
export { bodyParserFor, KoaBody, parsedBody } from './request/body/koaBody.ts';
