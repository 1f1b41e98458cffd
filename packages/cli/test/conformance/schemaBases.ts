// OpenAPI's own schemas, with those of Schema Objects, in an implementation that shares no code with Ajv.
import { validate as in30 } from '@hyperjump/json-schema/openapi-3-0';
import { validate as in31 } from '@hyperjump/json-schema/openapi-3-1';
import { validate as in32 } from '@hyperjump/json-schema/openapi-3-2';

/** @returns the validators of 3.0, 3.1 and 3.2 */
export async function schemaBases(): Promise<readonly ((document: unknown) => boolean)[]> {
  const validators = [
    await in30('https://spec.openapis.org/oas/3.0/schema'),
    await in31('https://spec.openapis.org/oas/3.1/schema-base'),
    await in32('https://spec.openapis.org/oas/3.2/schema-base'),
  ];
  return validators.map(
    (validator) => (document) => validator(document as Parameters<typeof validator>[0]).valid,
  );
}
