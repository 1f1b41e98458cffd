// For the packages of stubwright: values of a schema.

export { stringsMatching } from './sampling/pattern.ts';
export { Random } from './sampling/random.ts';
export { NoSample, Samples } from './sampling/sample.ts';
export { sampleNumbers, sampleStrings } from './sampling/text.ts';
