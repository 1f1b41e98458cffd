// The validation, as openapi-backend calls it. Its own rounds int64, reads three media types, and supports
// OpenAPI 3.0 only.
import {
  type Operation as BackendOperation,
  type Document,
  type OpenAPIRouter,
  OpenAPIValidator,
  type Request,
  type ValidationResult,
} from 'openapi-backend';
import type { Exchange } from '../request/exchange.ts';
import type { ServedOperation } from './servedOperation.ts';

/** Calls a step of a request (`validate`) in a span. */
export type TraceStep = <T>(name: string, callback: () => T) => T;

export class PipelineValidator extends OpenAPIValidator {
  readonly #step: TraceStep | undefined;

  constructor(definition: Document, router: OpenAPIRouter, step: TraceStep | undefined) {
    super({ definition, router, lazyCompileValidators: true });
    this.#step = step;
  }

  override validateRequest(request: Request, operation: BackendOperation): ValidationResult {
    const exchange = request as Request & Exchange;
    const served = operation as ServedOperation;
    const problem = this.#step
      ? this.#step('validate', () => served.validate(exchange))
      : served.validate(exchange);
    if (problem === undefined) return VALID;
    return { valid: false, errors: [{ ...ERROR, message: problem.message, params: { problem } }] };
  }
}

const VALID: ValidationResult = { valid: true, errors: null };
const ERROR = { keyword: 'contract', instancePath: '', schemaPath: '' };
