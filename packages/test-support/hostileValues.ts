// Values that an application may return or throw, by name; each call returns a new one.
import { createReadStream } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { Problem } from 'stubwright';

export type Values = Readonly<Record<string, () => unknown>>;

function fail(): never {
  throw new Error('a trap');
}

/** Throws at every use. */
const hostileProxy = (target: object) =>
  new Proxy(target, {
    get: fail,
    has: fail,
    getPrototypeOf: fail,
    ownKeys: fail,
    getOwnPropertyDescriptor: fail,
  });

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function cyclic(): object {
  const value: Record<string, unknown> = { id: 1 };
  value['self'] = value;
  return value;
}

/** An object with a property that throws when it is read. */
function throwing(name: string, holder: object = {}): object {
  return Object.defineProperty(holder, name, { get: fail, enumerable: true });
}

export const VALUES: Values = {
  undefined: () => undefined,
  null: () => null,
  false: () => false,
  'a number': () => 7,
  NaN: () => Number.NaN,
  'a string': () => 'text',
  'a bigint': () => 1n,
  'a symbol': () => Symbol('s'),
  'an empty object': () => ({}),
  'an array': () => [1],
  'a function': () => () => 1,
  'a class': () => class {},
  'an invalid date': () => new Date(Number.NaN),
  'a cyclic object': cyclic,
  'an object without a prototype': () => Object.create(null),
  'a proxy that throws': () => hostileProxy({}),
  'a proxy of an error': () => hostileProxy(new Error('x')),
  'a revoked proxy': revoked,
  'toJSON that throws': () => ({ toJSON: fail }),
  'toString that throws': () => ({ toString: fail, [Symbol.toPrimitive]: fail }),
  'an inspection that throws': () => ({ [Symbol.for('nodejs.util.inspect.custom')]: fail }),
  'a tag that throws': () => throwing(Symbol.toStringTag as unknown as string),
};

export const ERRORS: Values = {
  'an error': () => new Error('x'),
  'an error without a stack': () => Object.assign(new Error('x'), { stack: undefined }),
  'an error whose message throws': () => throwing('message', new Error('x')),
  'an error whose stack throws': () => throwing('stack', new Error('x')),
  'an error with a property that throws': () => throwing('code', new Error('x')),
  'an error whose name is an object': () => Object.assign(new Error('x'), { name: {} }),
  'an error that is its own cause': () => {
    const error = new Error('x');
    return Object.assign(error, { cause: error });
  },
  'an error with a bigint': () => Object.assign(new Error('x'), { id: 1n }),
  'an aggregate error': () => new AggregateError([hostileProxy({}), undefined], 'x'),
};

const problem = (headers: unknown) =>
  new Problem(409, 'taken', { headers: headers as Record<string, string> });

export const PROBLEMS: Values = {
  'a Problem': () => new Problem(409, 'taken'),
  'a Problem with a status that is not declared': () => new Problem(418, 'a teapot'),
  'a Problem with the status 500': () => new Problem(500, 'x'),
  'a header beyond Latin-1': () => problem({ Location: '/toys/日本' }),
  'a header with a line break': () => problem({ Location: '/a\r\nSet-Cookie: b=c' }),
  'a header name with a space': () => problem({ 'Bad Name': 'x' }),
  'an empty header name': () => problem({ '': 'x' }),
  'a header that is a number': () => problem({ Location: 7 }),
  'a header that is undefined': () => problem({ Location: undefined }),
  'a header that is a symbol': () => problem({ Location: Symbol('s') }),
  'a header that throws': () => problem(throwing('Location')),
  'headers that are null': () => problem(null),
  'headers that throw': () => problem(hostileProxy({})),
  'a Content-Length of its own': () => problem({ 'Content-Length': '1' }),
  'a Transfer-Encoding of its own': () => problem({ 'Transfer-Encoding': 'chunked' }),
  'a Trailer of its own': () => problem({ Trailer: 'x' }),
  'members with a cycle': () =>
    new Problem(409, 'taken', { members: cyclic() as Record<string, unknown> }),
  'members that throw': () => {
    return new Problem(409, 'taken', { members: throwing('a') as Record<string, unknown> });
  },
  'a message with a lone surrogate': () => new Problem(409, '\ud800'),
  'a title beyond Latin-1': () => new Problem(409, 'taken', { title: '日本' }),
  'a status that throws': () => throwing('status', new Problem(409, 'taken')),
  'a status that is no number': () =>
    Object.assign(new Problem(409, 'taken'), { status: 'x', number: 'x' }),
  'a cause that throws': () => new Problem(503, 'x', { cause: hostileProxy({}) }),
};

function failing(chunks: readonly unknown[]): Readable {
  let at = 0;
  return new Readable({
    objectMode: chunks.some((each) => typeof each !== 'string'),
    read() {
      if (at < chunks.length) this.push(chunks[at++]);
      else this.destroy(new Error('the stream failed'));
    },
  });
}

const web = (pull: (controller: ReadableStreamDefaultController) => void) =>
  new ReadableStream({ pull });

/** Bodies of replies that are streams or bytes. */
export const STREAMS: Values = {
  'a stream': () => Readable.from(['a', 'b']),
  'an empty stream': () => Readable.from([]),
  'a stream of bytes': () => Readable.from([Buffer.from('a')]),
  'a stream of numbers': () => Readable.from([1, 2]),
  'a stream of objects after text': () => Readable.from(['a', {}]),
  'a stream that has failed': () =>
    new PassThrough().on('error', () => {}).destroy(new Error('early')),
  'a stream that is closed': () => new PassThrough().destroy(),
  'a stream that has ended': () => {
    const stream = new PassThrough();
    stream.resume().end();
    return stream;
  },
  'a stream that fails at once': () => failing([]),
  'a stream that fails after a chunk': () => failing(['a']),
  'a stream that fails after an object': () => failing([{}]),
  'a stream whose read throws': () => new Readable({ read: fail }),
  'a file that does not exist': () => createReadStream('/nowhere/at/all'),
  'an iterator that throws': () =>
    Readable.from(
      (async function* () {
        yield 'a';
        fail();
      })(),
    ),
  'a web stream': () =>
    web((controller) => {
      controller.enqueue(Buffer.from('a'));
      controller.close();
    }),
  'a web stream of numbers': () => web((controller) => controller.enqueue(1)),
  'a web stream that fails': () => web((controller) => controller.error(new Error('x'))),
  'a web stream that fails with undefined': () => web((controller) => controller.error()),
  'a locked web stream': () => {
    const stream = web(() => {});
    stream.getReader();
    return stream;
  },
  'a blob': () => new Blob(['a']),
  'an object that claims to be a blob': () => ({ [Symbol.toStringTag]: 'Blob' }),
  'an object that claims to be a stream': () => Object.create(Readable.prototype),
  'a view of 16 bits': () => new Uint16Array([1, 2]),
  'a data view': () => new DataView(new ArrayBuffer(2)),
  'shared memory': () => new Uint8Array(new SharedArrayBuffer(2)),
  'resizable memory': () => new Uint8Array(new ArrayBuffer(2, { maxByteLength: 4 })),
};

const reply = (parts: object): unknown => ({ status: 200, body: { id: 1 }, ...parts });

export const REPLIES: Values = {
  'a reply': () => reply({}),
  'a reply that is a proxy': () => new Proxy(reply({}) as object, {}),
  'a status that is text': () => reply({ status: '200' }),
  'a status below 200': () => reply({ status: 101 }),
  'the status 99': () => reply({ status: 99 }),
  'the status 600': () => reply({ status: 600 }),
  'the status 1000': () => reply({ status: 1000 }),
  'a fractional status': () => reply({ status: 200.5 }),
  'a status without a name': () => reply({ status: 299 }),
  'a body for 204': () => reply({ status: 204 }),
  'a body for 205': () => reply({ status: 205 }),
  'a body for 304': () => reply({ status: 304 }),
  'a reply whose body throws': () => throwing('body', { status: 200 }),
  'a reply whose headers throw': () => throwing('headers', { status: 200, body: { id: 1 } }),
  'a media type that is not declared': () => reply({ type: 'text/html' }),
  'a media type with a line break': () => reply({ type: 'application/json; a="\r\nb: c"' }),
  'a media type beyond Latin-1': () => reply({ type: 'application/json; a=日' }),
  'a media type that is a number': () => reply({ type: 7 }),
  'a reply header beyond Latin-1': () => reply({ headers: { Location: '日本' } }),
  'a reply header with a line break': () => reply({ headers: { Location: 'a\r\nb: c' } }),
  'a reply header name with a space': () => reply({ headers: { 'Bad Name': 'x' } }),
  'a reply header that is a symbol': () => reply({ headers: { Location: Symbol('s') } }),
  'a reply header that throws': () => reply({ headers: throwing('Location') }),
  'reply headers that are null': () => reply({ headers: null }),
  'reply headers that are text': () => reply({ headers: 'Location' }),
  'a shorter Content-Length': () => reply({ headers: { 'Content-Length': 1 } }),
  'a longer Content-Length': () => reply({ headers: { 'content-length': 1000 } }),
  'a Content-Length that is text': () => reply({ headers: { 'Content-Length': 'x' } }),
  'a Transfer-Encoding': () => reply({ headers: { 'Transfer-Encoding': 'chunked' } }),
  'a reply Trailer': () => reply({ headers: { Trailer: 'x' } }),
};

/** @returns the values, each as the body of a reply */
export function asBodies(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => [
      [`as JSON: ${name}`, () => ({ status: 200, body: value() })],
      [`as bytes: ${name}`, () => ({ status: 200, type: 'image/png', body: value() })],
      [
        `with a length: ${name}`,
        () => ({
          ...{ status: 200, type: 'image/png', body: value() },
          headers: { 'Content-Length': 1 },
        }),
      ],
    ]),
  );
}

/** Ways to hand over a value. */
export const WAYS: Readonly<Record<string, (value: () => unknown) => unknown>> = {
  returns: (value) => value(),
  throws: (value) => {
    throw value();
  },
  resolves: async (value) => value(),
  'rejects with': (value) => Promise.reject(value()),
  'resolves later': (value) => new Promise((resolve) => setImmediate(() => resolve(value()))),
  'returns a thenable that resolves twice': (value) => ({
    then(resolve: (value: unknown) => void, reject: (error: unknown) => void) {
      resolve(value());
      resolve(undefined);
      reject(new Error('late'));
      throw new Error('later');
    },
  }),
  'returns a thenable that throws': (value) => ({
    then() {
      throw value();
    },
  }),
  'returns a then that throws when read': (value) =>
    Object.defineProperty({}, 'then', {
      get() {
        throw value();
      },
    }),
};
