// Classifies the enforcement of a construct by probing the engine.
import type { LocatedNode, Node } from 'stubwright/internal/document/definition';
import { mediaContentOf, mediaKindOf } from 'stubwright/internal/request/body/mediaKinds';
import { parseMediaType } from 'stubwright/internal/request/body/mediaType';
import type { HandlerReply } from 'stubwright/internal/response/reply';
import { commonTypes, isBinary, type SchemaModel } from 'stubwright/internal/schema/model';
import { Validators } from 'stubwright/internal/schema/validator';
import {
  isParameterEnforced,
  isReplyEnforced,
  isSecurityEnforced,
  type SerializedParameter,
} from './probes.ts';

/** `enforced`, `annotation` (no constraint on requests or responses), or the reason why not. */
export type Enforcement = 'enforced' | 'annotation' | `not enforced: ${string}`;

/** An anonymous request must be refused. */
export async function schemeEnforcement(
  scheme: Node | undefined,
  version: string,
): Promise<Enforcement> {
  const isEnforced =
    scheme !== undefined && (await isSecurityEnforced(scheme, [], undefined, version));
  return isEnforced ? 'enforced' : 'not enforced: the engine cannot check this scheme';
}

/** Valid credentials without the scope must be refused. */
export async function scopesEnforcement(version: string): Promise<Enforcement> {
  const bearer = { type: 'http', scheme: 'bearer' };
  return (await isSecurityEnforced(bearer, ['scope'], 'Bearer token', version))
    ? 'enforced'
    : 'not enforced: credentials without the scope are accepted';
}

export function parameterEnforcement(
  parameter: object,
  text: SerializedParameter,
  version: string,
): Enforcement {
  return isParameterEnforced(parameter, text, version)
    ? 'enforced'
    : 'not enforced: a serialized value cannot be read back';
}

type ReplyProbe = readonly [responses: Node, replies: readonly HandlerReply[]];

const ANY = { description: '' };
export const STATUSES: Readonly<Record<string, ReplyProbe>> = {
  status: [{ 204: ANY }, [{ status: 204 }, { status: 200 }]],
  'status range': [{ '4XX': ANY }, [{ status: 404 }, { status: 500 }]],
  default: [{ default: ANY }, [{ status: 404 }, { status: 404, body: 'x' }]],
};
const HEADER = { description: '', headers: { x: { schema: { type: 'integer' } } } };
const REQUIRED = { description: '', headers: { x: { required: true, schema: {} } } };
export const HEADERS: Readonly<Record<string, ReplyProbe>> = {
  header: [{ 204: HEADER }, [{ status: 204 }, { status: 204, headers: { x: 'a' } }]],
  'required header': [{ 204: REQUIRED }, [{ status: 204, headers: { x: 1 } }, { status: 204 }]],
};

export function replyEnforcement([responses, replies]: ReplyProbe, version: string): Enforcement {
  return isReplyEnforced(responses, replies, version)
    ? 'enforced'
    : 'not enforced: a reply that violates it is sent';
}

export function responseTypeEnforcement(
  model: SchemaModel,
  type: string,
  content: LocatedNode,
): Enforcement {
  const concrete = type.replace('*/*', 'text/plain').replace('/*', '/x');
  const media = mediaContentOf(content, new Validators(model.definition, 'response'));
  const isValue = !mediaKindOf(parseMediaType(concrete)?.type ?? '', media).acceptsBytes;
  if (isValue && isValueEnforced(type, concrete, String(model.definition.document.openapi))) {
    return 'enforced';
  }
  return isOpaque(model, content)
    ? 'annotation'
    : 'not enforced: bytes are not validated against their schema';
}

function isValueEnforced(key: string, type: string, version: string): boolean {
  const schema = { type: 'array', items: { enum: ['a'] } };
  const responses = { 200: { description: '', content: { [key]: { schema } } } };
  const bodies = [['a'], ['b'], Buffer.from('b')];
  const replies = bodies.map((body) => ({ status: 200, type, body }));
  return isReplyEnforced(responses, replies, version);
}

/** True for binary content, and for strings without a format. */
export function isOpaque(model: SchemaModel, content: LocatedNode): boolean {
  const conjuncts = model.at(`${content.pointer}/schema`)?.conjuncts ?? [];
  if (conjuncts.some(isBinary)) return true;
  const isString = commonTypes(conjuncts)?.every((type) => type === 'string') ?? true;
  return isString && conjuncts.every(({ keywords }) => keywords.format === undefined);
}
