// A shop: products, a cart, orders page by page, and changes of an order.
import './style.css';
import {
  QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { createContext, useContext, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type Connection, connect, getOrder, type Order, updateOrder } from './client/index.js';
import { createOrder, listOrders } from './client/query.js';

const ConnectionContext = createContext<Connection>(connect({ baseUrl: location.origin }));
// The client retries by itself.
const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });

function SignIn({ onConnected }: { onConnected: (connection: Connection) => void }) {
  const signIn = async (form: FormData) => {
    const query = new URLSearchParams({ name: String(form.get('name')) });
    const response = await fetch(`/sign-in?${query}`, { method: 'POST' });
    const token = await response.text();
    onConnected(connect({ baseUrl: location.origin, customer: token }));
  };
  return (
    <form action={signIn}>
      <label>
        Name
        <input name="name" autoComplete="username" required />
      </label>
      <button type="submit">Sign in</button>
    </form>
  );
}

const PRODUCTS = ['Aloe vera', 'Boston fern', 'Monstera deliciosa', 'Snake plant'];

interface CartLine {
  readonly item: string;
  readonly quantity: number;
  /** The same for each click on "Place order": the line is ordered once. */
  readonly key: string;
}

function Products({ onAdd }: { onAdd: (item: string) => void }) {
  return (
    <section aria-labelledby="products">
      <h2 id="products">Products</h2>
      <ul>
        {PRODUCTS.map((item) => (
          <li key={item}>
            <span>{item}</span>
            <button type="button" aria-label={`Add ${item}`} onClick={() => onAdd(item)}>
              Add
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface CartProps {
  readonly lines: readonly CartLine[];
  readonly onChange: (lines: readonly CartLine[]) => void;
  readonly onOrdered: (key: string) => void;
}

function Cart({ lines, onChange, onOrdered }: CartProps) {
  const connection = useContext(ConnectionContext);
  const cache = useQueryClient();
  const create = useMutation(createOrder.mutationOptions(connection));
  const order = async () => {
    // An order whose response is lost stays in the cart, and its next click has the same key.
    await Promise.allSettled(
      lines.map(async ({ item, quantity, key }) => {
        const header = { 'Idempotency-Key': key };
        await create.mutateAsync({ header, body: { item, quantity } });
        onOrdered(key);
      }),
    );
    await cache.invalidateQueries({ queryKey: listOrders.queryKey() });
  };
  const setQuantity = (key: string, quantity: number) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, quantity } : line)));
  return (
    <section aria-labelledby="cart">
      <h2 id="cart">Cart</h2>
      {lines.length === 0 && <p>Your cart is empty.</p>}
      <ul>
        {lines.map(({ item, quantity, key }) => (
          <li key={key}>
            <span>{item}</span>
            <label>
              Quantity
              <input
                type="number"
                min={1}
                max={100}
                value={quantity}
                onChange={(event) => setQuantity(key, event.target.valueAsNumber)}
              />
            </label>
            <button
              type="button"
              aria-label={`Remove ${item}`}
              onClick={() => onChange(lines.filter((line) => line.key !== key))}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      {lines.length > 0 && (
        <form action={order}>
          <button type="submit">Place order</button>
        </form>
      )}
      {create.error?.name === 'ErrorReply' && <p role="alert">{create.error.reply.body.detail}</p>}
    </section>
  );
}

function Orders() {
  const connection = useContext(ConnectionContext);
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery(
    listOrders.infiniteQueryOptions(connection),
  );
  const orders = data?.pages.flatMap(({ body }) => body.orders) ?? [];
  return (
    <section aria-labelledby="orders">
      <h2 id="orders">Your orders</h2>
      {error !== null && <p role="alert">{error.message}</p>}
      {data !== undefined && orders.length === 0 && <p>You have placed no order.</p>}
      <ul>
        {orders.map((order) => (
          <PlacedOrder key={String(order.id)} {...order} />
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" onClick={() => fetchNextPage()}>
          More
        </button>
      )}
    </section>
  );
}

function PlacedOrder({ id, item, quantity, note }: Order) {
  const connection = useContext(ConnectionContext);
  const cache = useQueryClient();
  /** Undefined while the order is not being changed. */
  const [tag, setTag] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const edit = async () => {
    const reply = await getOrder(connection, { path: { id } });
    if (reply.status === 200) setTag(reply.headers.ETag);
  };
  const change = async (form: FormData) => {
    // Only what changes. null removes the note (RFC 7396).
    const body = { quantity: Number(form.get('quantity')), note: String(form.get('note')) || null };
    const header = { 'If-Match': tag! };
    const reply = await updateOrder(connection, { path: { id }, header, body });
    // 412: somebody else has changed the order since it was read.
    setProblem(reply.status === 200 ? undefined : reply.body.detail);
    setTag(undefined);
    await cache.invalidateQueries({ queryKey: listOrders.queryKey() });
  };
  return (
    <li>
      <span>
        {quantity} × {item} {note && <em>{note}</em>}
      </span>
      {tag === undefined ? (
        <button type="button" aria-label={`Change ${item}`} onClick={edit}>
          Change
        </button>
      ) : (
        <form action={change}>
          <label>
            New quantity
            <input name="quantity" type="number" min={1} max={100} defaultValue={quantity} />
          </label>
          <label>
            Note
            <input name="note" maxLength={200} defaultValue={note} />
          </label>
          <button type="submit">Save</button>
        </form>
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
    </li>
  );
}

function Shop() {
  const [lines, setLines] = useState<readonly CartLine[]>([]);
  const add = (item: string) =>
    setLines([...lines, { item, quantity: 1, key: crypto.randomUUID() }]);
  const remove = (key: string) => setLines((all) => all.filter((line) => line.key !== key));
  return (
    <>
      <Products onAdd={add} />
      <Cart lines={lines} onChange={setLines} onOrdered={remove} />
      <Orders />
    </>
  );
}

function App() {
  const [connection, setConnection] = useState<Connection>();
  if (connection === undefined) return <SignIn onConnected={setConnection} />;
  return (
    <ConnectionContext value={connection}>
      <Shop />
    </ConnectionContext>
  );
}

createRoot(document.querySelector('main')!).render(
  <QueryClientProvider client={queries}>
    <h1>Plant shop</h1>
    <App />
  </QueryClientProvider>,
);
