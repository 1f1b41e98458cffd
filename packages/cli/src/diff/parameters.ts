// The parameters of one operation in two contracts.
import {
  type Definition,
  type Node,
  type Place,
  templateNames,
} from '../../../stubwright/src/document/definition.ts';
import { serializationOf } from '../../../stubwright/src/request/parameters/serialization.ts';
import { compareContents } from './content.ts';
import { type Context, type Pair, pointerTo, type Site, within } from './context.ts';
import { became } from './words.ts';

const READ = ['description', 'example', 'examples', 'deprecated'];
/** Headers that HTTP itself describes; as parameters they say nothing. */
const OF_HTTP = ['header accept', 'header content-type', 'header authorization'];

/** An operation as far as its parameters go. */
interface Holder {
  readonly path: string;
  readonly place: Place;
  readonly parameters: readonly Place[];
}

export function compareParameters(
  context: Context,
  site: Site,
  before: Holder,
  after: Holder,
): void {
  const was = keyed(before);
  const is = keyed(after);
  for (const [key, place] of was) {
    const other = is.get(key);
    const inside = within(site, nameOf(place.node));
    if (other !== undefined) compareOne(context, inside, { before: place, after: other });
    else {
      context.tell(
        inside,
        {
          verdict: 'breaking',
          what: 'the parameter was removed',
          effect: 'Clients that send it are refused, or it is ignored.',
        },
        place.pointer,
        pointerTo(after.place, 'parameters'),
      );
    }
  }
  for (const [key, place] of is) {
    if (was.has(key)) continue;
    const isRequired = place.node.required === true;
    context.tell(
      within(site, nameOf(place.node)),
      {
        verdict: isRequired ? 'breaking' : 'compatible',
        what: isRequired ? 'a required parameter was added' : 'an optional parameter was added',
        effect: isRequired ? 'Clients that do not know it are refused.' : 'Clients may send it.',
      },
      pointerTo(before.place, 'parameters'),
      place.pointer,
    );
  }
}

/** A path parameter is known by its place in the path, since its name is not sent. */
function keyed({ path, parameters }: Holder): Map<string, Place> {
  const names = templateNames(path);
  const keyOf = ({ in: where, name }: Node) => {
    if (where === 'path') return `path ${names.indexOf(name)}`;
    return `${where} ${where === 'header' ? String(name).toLowerCase() : name}`;
  };
  const entries = parameters.map((place) => [keyOf(place.node), place] as const);
  return new Map(entries.filter(([key]) => !OF_HTTP.includes(key)));
}

function nameOf({ in: where, name }: Node): string {
  return `${where} parameter ${name}`;
}

function compareOne(context: Context, site: Site, pair: Pair): void {
  const { before, after } = pair;
  const tell = (word: string, verdict: 'breaking' | 'risky' | 'compatible', effect: string) => {
    const what = became(word, before.node[word], after.node[word]);
    context.tell(site, { verdict, what, effect }, pointerTo(before, word), pointerTo(after, word));
  };
  if (before.node.in === 'path' && before.node.name !== after.node.name) {
    tell('name', 'risky', 'The request stays; an SDK names its argument anew.');
  }
  if (isRequired(before) !== isRequired(after)) {
    if (isRequired(after)) tell('required', 'breaking', 'Clients that leave it out are refused.');
    else tell('required', 'compatible', 'Clients may leave it out.');
  }
  compareWriting(context, site, pair);
  const allowed = [before, after].map(({ node }) => node.allowEmptyValue === true);
  if (allowed[0] && !allowed[1]) {
    tell('allowEmptyValue', 'breaking', 'Clients that send it without a value are refused.');
  } else if (allowed[1] && !allowed[0]) {
    tell('allowEmptyValue', 'compatible', 'Clients may send it without a value.');
  }
  context.schemas(site, pair);
  compareContents(context, site, pair);
  context.documentation(site, pair, READ);
}

function isRequired({ node }: Place): boolean {
  return node.required === true || node.in === 'path';
}

/** How a value becomes text; what is not said is said by OpenAPI's defaults. */
export function compareWriting(context: Context, site: Site, { before, after }: Pair): void {
  const was = writingOf(before.node);
  const is = writingOf(after.node);
  for (const word of ['style', 'explode', 'allowReserved', 'content'] as const) {
    if (was[word] === is[word]) continue;
    context.tell(
      site,
      {
        verdict: 'breaking',
        what: became(word, was[word], is[word]),
        effect: 'The same value is written another way; what clients send is misread or refused.',
      },
      pointerTo(before, word),
      pointerTo(after, word),
    );
  }
}

function writingOf(node: Node) {
  return {
    ...serializationOf(node),
    allowReserved: node.allowReserved ?? false,
    content: node.content === undefined ? 'none' : Object.keys(node.content).join(', '),
  };
}

/** @returns the parameters that are declared at some places, the first of a name and place */
export function parametersAt(definition: Definition, holders: readonly Place[]): Place[] {
  const found = new Map<string, Place>();
  for (const holder of holders) {
    const list = definition.child(holder, 'parameters');
    for (const index of Object.keys(list?.node ?? {})) {
      const place = definition.child(list!, index)!;
      const key = `${place.node.in} ${place.node.name}`;
      if (!found.has(key)) found.set(key, place);
    }
  }
  return [...found.values()];
}
