// The oracle of the diff: tries values of every part of random samples, whatever the rules report.
import { type Contract, type Direction, isObject, type Schema } from '@stubwright/contract';
import { Validators } from '@stubwright/contract/values';
import { NoSample, Samples } from '@stubwright/mock/samples';
import { candidates } from '../src/counterexample/candidates.ts';
import { carrierOf, type Holders } from '../src/counterexample/carrier.ts';
import { inside, isSent, type Spot } from '../src/counterexample/spot.ts';
import { COMPARED } from '../src/schema/membership.ts';

type Path = readonly (string | number)[];
const MAX_PARTS = 20;

/** @returns a value that the sender may send and the receiver refuses; undefined if none of `limit` values is one */
export function refusedValue(
  definitions: { readonly before: Contract; readonly after: Contract },
  holders: Holders,
  direction: Direction,
  limit: number,
): unknown {
  const [sender, receiver] =
    direction === 'request' ? (['before', 'after'] as const) : (['after', 'before'] as const);
  const root = { before: [holders.before.value.schema!], after: [holders.after.value.schema!] };
  const validators = {
    before: new Validators(definitions.before, direction, COMPARED),
    after: new Validators(definitions.after, direction, COMPARED),
  };
  const carriers = {
    before: carrierOf(definitions.before, holders.before, validators.before)!,
    after: carrierOf(definitions.after, holders.after, validators.after)!,
  };
  const samples = { before: new Samples(validators.before), after: new Samples(validators.after) };
  const sample = (side: 'before' | 'after', schema: Schema, seed: string) => {
    try {
      return [samples[side].at(schema.pointer, `other${seed}`)];
    } catch (error) {
      if (error instanceof NoSample) return [];
      throw error;
    }
  };
  let left = limit;
  const bases = ['a', 'b'].flatMap((seed) => sample(sender, root[sender][0]!, seed));
  for (const base of bases) {
    for (const { path, value, spot } of partsOf(base, root)) {
      const context = { spot, sampled: sender, direction, facts: {}, sample };
      let ofPart = Math.max(20, limit / MAX_PARTS);
      for (const part of candidates(context, [value])) {
        if (left-- <= 0) return undefined;
        if (ofPart-- <= 0) break;
        const tried = replaced(base, path, part);
        const sent = carriers[sender].send(tried);
        if (sent === undefined || carriers[sender].refusal(sent) !== undefined) continue;
        if (direction === 'request' && !isSent(tried, root)) continue;
        if (carriers[receiver].refusal(sent) !== undefined) return tried;
      }
    }
  }
  return undefined;
}

function partsOf(base: unknown, root: Spot) {
  const parts: { path: Path; value: unknown; spot: Spot }[] = [
    { path: [], value: base, spot: root },
  ];
  for (const { path, value, spot } of parts) {
    const entries = Array.isArray(value)
      ? value.slice(0, 2).map((each, at) => [at, each] as const)
      : isObject(value)
        ? Object.entries(value)
        : [];
    for (const [token, each] of entries) {
      if (parts.length >= MAX_PARTS) return parts;
      parts.push({ path: [...path, token], value: each, spot: inside(spot, token) });
    }
  }
  return parts;
}

function replaced(value: unknown, [token, ...rest]: Path, part: unknown): unknown {
  if (token === undefined) return part;
  if (Array.isArray(value)) {
    return value.with(Number(token), replaced(value[Number(token)], rest, part));
  }
  const node = value as Record<string, unknown>;
  return { ...node, [token]: replaced(node[token], rest, part) };
}
