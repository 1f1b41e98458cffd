// For the packages of stubwright: samples and examples of a contract.

export { exampleCurl } from './mock/exampleCurl.ts';
export { type ExampleRequest, ExampleRequests, WRONG_TEXT } from './mock/exampleRequest.ts';
export { idKeyOf } from './mock/exchangeValues.ts';
export type { MockOptions } from './mock/mocked.ts';
export { NoSample, Samples } from './mock/sample.ts';
export { sampleNumbers } from './mock/sampling/number.ts';
export { stringsMatching } from './mock/sampling/pattern.ts';
export { Random } from './mock/sampling/random.ts';
export { sampleStrings } from './mock/sampling/text.ts';
