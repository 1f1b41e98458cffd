// For the packages of stubwright: responses and requests made from a contract. Loaded on demand.

export type { MockedExchange, PagedRow, SelectPage, ValidMock } from './mocked.ts';
export { createMocks, type Mocks } from './mockHandler.ts';
export { idKeyOf } from './replies/exchangeValues.ts';
export {
  type ExampleRequest,
  ExampleRequests,
  exampleCurl,
  type GivenValues,
} from './requests/exampleRequest.ts';
