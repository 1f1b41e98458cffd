// The steps of this project's engine for createPlant, each called by itself on prepared input.

import { type Contract, loadContract } from '@stubwright/contract';
import { Coercions, Validators } from '@stubwright/contract/values';
import type { Request } from 'openapi-backend';
import { type Exchange, Replies, Router } from 'stubwright/internals';
import { parseJsonBody, parseJsonText, toText } from '../../packages/contract/src/json/json.ts';
import { HandlerRequest } from '../../packages/stubwright/src/pipeline/handlerRequest.ts';
import { Pipeline } from '../../packages/stubwright/src/pipeline/pipeline.ts';
import type { OperationStep, StepParts } from '../../packages/stubwright/src/pipeline/step.ts';
import { STEPS } from '../../packages/stubwright/src/pipeline/steps.ts';
import { requestReaders } from '../../packages/stubwright/src/request/body/body.ts';
import { Security } from '../../packages/stubwright/src/security/security.ts';
import {
  BODIES,
  CONTRACT,
  createPlant,
  exchangeOf,
  RESPONSE_BODY,
  verifiers,
} from './contenders.ts';

export interface Step {
  /** In parentheses for a step that is only subtracted. */
  readonly label: string;
  /** @returns a value that depends on the work */
  readonly run: (bytes: Buffer) => unknown;
  /** Labels of the steps that `run` includes. */
  readonly includes: readonly string[];
}

const LOOP = '(loop)';
const AWAIT = '(loop with await)';
const EXCHANGE = 'create the exchange';
const ROUTE = 'route';
const PARSE = 'parse JSON exactly';
const COPY = '(copy)';
const VALIDATE_REPLY = 'validate the reply';

export async function createSteps(): Promise<readonly Step[]> {
  const { definition } = await loadContract(CONTRACT, { isMocked: false });
  const operation = definition.operations[0]!;
  const requests = new Validators(definition, 'request');
  const responses = new Validators(definition, 'response');
  const coercions = new Coercions(requests);
  const router = new Router(definition.operations, undefined);
  const security = new Security(definition, { verifiers, realm: '' }, () => false);
  const authenticate = security.authorizer(operation)!;
  const body = requestReaders(definition, requests)(operation).body;
  const read = (exchange: Exchange) => body.receive(exchange, body.select(exchange));
  const replies = new Replies(definition, responses).of(operation);
  const pipeline = emptyPipeline(definition);

  const content = `${operation.requestBody!.pointer}/content/application~1json/schema`;
  const validate = requests.at(content);
  const coerce = coercions.at(content)!;
  const plants = BODIES.map((bytes) => parseJsonText(bytes.toString()) as object);
  const coerced = plants.map((plant) => coerce({ ...plant }));
  const { defaultContent } = replies.responseOf(200)!;
  const validateReply = defaultContent!.validate!;
  let count = 0;
  const next = () => count++ % BODIES.length;
  const routed = (bytes: Buffer): Exchange => {
    const exchange = exchangeOf(bytes);
    exchange.operation = operation;
    return exchange;
  };
  const parsed = routed(BODIES[0]!);
  await read(parsed);

  const step = (label: string, run: Step['run'], includes: readonly string[] = [LOOP]): Step => ({
    label,
    run,
    includes,
  });
  return [
    step(LOOP, next, []),
    step(AWAIT, () => Promise.resolve(next()), []),
    step(EXCHANGE, exchangeOf),
    step(
      ROUTE,
      (bytes) => {
        const { method, path } = exchangeOf(bytes);
        return router.match(method, path);
      },
      [LOOP, EXCHANGE],
    ),
    step(
      'authenticate, without a digest of the token',
      (bytes) => {
        const exchange = routed(bytes);
        authenticate(exchange);
        return exchange.principal;
      },
      [LOOP, EXCHANGE],
    ),
    step(
      'media type, read the body',
      (bytes) => {
        const exchange = routed(bytes);
        return Promise.resolve(read(exchange)).then(() => exchange);
      },
      [AWAIT, EXCHANGE, PARSE],
    ),
    step(PARSE, (bytes) => parseJsonBody(bytes, toText(bytes))),
    step('validate', () => validate(plants[next()])),
    step(COPY, () => ({ ...plants[next()] }), []),
    step('coerce: id to bigint', () => coerce({ ...plants[next()] }), [COPY]),
    step('handler', () => createPlant(new HandlerRequest(parsed, {} as never) as never)),
    step(VALIDATE_REPLY, () => validateReply(coerced[next()])),
    step('serialize', () => replies.serialize({ status: 200, body: coerced[next()] }), [
      LOOP,
      VALIDATE_REPLY,
    ]),
    step(
      "openapi-backend's handleRequest with empty steps",
      (bytes) => {
        const exchange = exchangeOf(bytes);
        return pipeline.handleRequest(exchange as Exchange & Request, exchange);
      },
      [...[AWAIT, EXCHANGE, ROUTE]],
    ),
  ];
}

/** openapi-backend with steps that do nothing. */
function emptyPipeline(definition: Contract): Pipeline {
  const [route] = STEPS;
  const respond: OperationStep = {
    ...{ name: 'Respond', reads: 'nothing', statuses: [], hook: 'operationHandler' },
    compile: () => () => ({ status: 200, headers: {}, body: RESPONSE_BODY }),
  };
  const parts = { definition, isMocked: () => false } as unknown as StepParts;
  const unused = { failures: undefined as never, basePath: undefined };
  return new Pipeline({ definition, parts, ...unused, steps: [route, respond] });
}
