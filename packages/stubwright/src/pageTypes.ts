// The types of pages, derived from the generated types of an operation with `x-pagination`.
import type { KeyValue } from './pages/cursors.ts';
import type { Declared, ReplyOf } from './pipeline/handlerRequest.ts';

/** What the generated types have of `x-pagination`: the pointers are the names of the properties. */
interface Paginated {
  readonly items: readonly string[];
  readonly next?: readonly string[];
  readonly more?: readonly string[];
}

/** An operation whose pages start after a row. */
export interface CursorOperation {
  readonly pagination: Paginated & {
    readonly kind: 'cursor' | 'link';
    readonly parameter: string;
  };
}

/** An operation whose pages have a number, or start at an item. */
export interface OffsetOperation {
  readonly pagination: Paginated & { readonly kind: 'page' | 'offset' };
}

type PaginatedOperation = CursorOperation | OffsetOperation;

/** The item of a list, as the contract declares it. */
export type PageItem<Operation extends PaginatedOperation> = ElementOf<
  ValueAt<BodiesOf<Operation>, Operation['pagination']['items']>
>;

/** The names of the properties that sort the rows; `-` before a name sorts in descending order. */
export type OrderOf<Row> = readonly SortedBy<KeyNames<Row>>[];

type SortedBy<Name extends string> = Name | `-${Name}`;

type KeyNames<Row> = [Row] extends [never]
  ? never
  : {
      [Name in keyof Row & string]-?: Exclude<Row[Name], undefined> extends KeyValue ? Name : never;
    }[keyof Row & string];

/** The key of a row: the values of the properties of an order. */
export type AfterOf<Row, Order extends readonly string[]> = {
  readonly [At in keyof Order]: KeyIn<Row, Order[At]>;
};

type KeyIn<Row, Sorted> = Sorted extends keyof Row
  ? Filled<Row[Sorted]>
  : Sorted extends `-${infer Name extends keyof Row & string}`
    ? Filled<Row[Name]>
    : never;

type Filled<Value> = Value extends undefined ? null : Value;

/** Where the items of a page come from. @typeParam Row a row; by default an item of the contract */
interface Source<Operation extends PaginatedOperation, Row> {
  /** By default a row is an item. */
  readonly item?: (row: Row) => PageItem<Operation>;
  /** The origin of the URLs, such as that of BASE_URL; by default they are relative. */
  readonly origin?: string | undefined;
}

/** The source of pages that start after a row. */
export interface CursorSource<
  Operation extends PaginatedOperation,
  Row,
  Order extends readonly string[],
> extends Source<Operation, Row> {
  /**
   * The order of the rows: names of their properties, `-` for descending. No two rows may have the same
   * values: the last one is a unique key.
   */
  readonly order: Order;
  /** The age at which a cursor expires; by default it does not. */
  readonly maxAgeSeconds?: number | undefined;
  /** A cursor is valid with this value alone, such as the name of the principal; by default with any. */
  readonly boundTo?: string | undefined;
  /** @returns at most `limit` rows in that order: those after `after`, which is undefined on the first page */
  readonly fetch: (range: {
    readonly after: AfterOf<Row, Order> | undefined;
    /** One more than the size of the page: a further row shows that there is a next page. */
    readonly limit: number;
  }) => Rows<Row>;
}

/** The source of pages that start at a number of items. */
export interface OffsetSource<Operation extends PaginatedOperation, Row>
  extends Source<Operation, Row> {
  /** @returns at most `limit` rows, without the first `offset` ones */
  readonly fetch: (range: {
    readonly offset: number;
    /** One more than the size of the page: a further row shows that there is a next page. */
    readonly limit: number;
  }) => Rows<Row>;
}

type Rows<Row> = readonly NoInfer<Row>[] | PromiseLike<readonly NoInfer<Row>[]>;

/** The part of a reply that a page fills: `{ status: 200, ...reply }`. */
export type PageReply<Operation extends PaginatedOperation> = {
  readonly body: PageBody<BodiesOf<Operation>, Operation['pagination']>;
} & (LinkHeaders<Operation> extends Record<never, never>
  ? { readonly headers: LinkHeaders<Operation> }
  : unknown);

type PageBody<Body, Pages> = Pages extends { items: infer Path extends readonly string[] }
  ? Body extends unknown
    ? HasItems<Body, Path> extends true
      ? PickedAt<Body, Path> & PickedMember<Body, Pages, 'next'> & PickedMember<Body, Pages, 'more'>
      : never
    : never
  : never;

/** False for the bodies of errors, also for those with any properties. */
type HasItems<Body, Path extends readonly string[]> = [ValueAt<Body, Path>] extends [never]
  ? false
  : [ValueAt<Body, Path>] extends [readonly unknown[]]
    ? true
    : false;

type PickedMember<Body, Pages, Name extends string> = Pages extends {
  [Key in Name]: infer Path extends readonly string[];
}
  ? PickedAt<Body, Path>
  : unknown;

/** The properties of a path alone. A mapped type keeps optional ones optional. */
type PickedAt<Value, Path extends readonly string[]> = Path extends readonly [
  infer Name extends string,
  ...infer Rest extends readonly string[],
]
  ? {
      [Key in keyof Pick<Value, Name & keyof Value>]: PickedAt<Value[Key], Rest>;
    }
  : Value;

type ValueAt<Value, Path extends readonly string[]> = Path extends readonly [
  infer Name extends string,
  ...infer Rest extends readonly string[],
]
  ? Value extends { readonly [Key in Name]?: infer Inner }
    ? ValueAt<NonNullable<Inner>, Rest>
    : never
  : Value;

type ElementOf<Items> = Items extends readonly (infer Item)[] ? Item : never;

type BodiesOf<Operation> =
  ReplyOf<Operation> extends infer Reply
    ? Reply extends { readonly body: infer Body }
      ? Body
      : never
    : never;

/** The header `Link` of the successes, under its declared name. */
type LinkHeaders<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: Responses[Status] extends { headers: infer Headers }
        ? Pick<Declared<Headers>, keyof Declared<Headers> & ('Link' | 'link')>
        : never;
    }[keyof Responses] extends infer Picked
    ? Picked extends { readonly Link?: unknown } | { readonly link?: unknown }
      ? keyof Picked extends never
        ? never
        : Picked
      : never
    : never
  : never;
