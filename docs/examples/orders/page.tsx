// Signs in, places orders, lists them page by page, and changes one.
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
      <input name="name" aria-label="Name" required />
      <button type="submit">Sign in</button>
    </form>
  );
}

function NewOrder() {
  const connection = useContext(ConnectionContext);
  const cache = useQueryClient();
  const create = useMutation({
    // The client sends an Idempotency-Key, the same in each retry.
    ...createOrder.mutationOptions(connection),
    onSuccess: () => cache.invalidateQueries({ queryKey: listOrders.queryKey() }),
  });
  const submit = (form: FormData) => {
    const quantity = Number(form.get('quantity'));
    create.mutate({ body: { item: String(form.get('item')), quantity } });
  };
  return (
    <form action={submit}>
      <input name="item" aria-label="Item" required />
      <input name="quantity" aria-label="Quantity" type="number" defaultValue={1} />
      <button type="submit">Order</button>
      {create.error?.name === 'ErrorReply' && <p role="alert">{create.error.reply.body.detail}</p>}
    </form>
  );
}

function Orders() {
  const connection = useContext(ConnectionContext);
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery(
    listOrders.infiniteQueryOptions(connection),
  );
  if (error !== null) return <p role="alert">{error.message}</p>;
  const orders = data?.pages.flatMap(({ body }) => body.orders) ?? [];
  return (
    <>
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
    </>
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
      {quantity} × {item} {note && <em>{note}</em>}{' '}
      {tag === undefined ? (
        <button type="button" onClick={edit}>
          Change
        </button>
      ) : (
        <form action={change}>
          <input name="quantity" aria-label="New quantity" type="number" defaultValue={quantity} />
          <input name="note" aria-label="Note" defaultValue={note} />
          <button type="submit">Save</button>
        </form>
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
    </li>
  );
}

function Shop() {
  const [connection, setConnection] = useState<Connection>();
  if (connection === undefined) return <SignIn onConnected={setConnection} />;
  return (
    <ConnectionContext value={connection}>
      <NewOrder />
      <Orders />
    </ConnectionContext>
  );
}

createRoot(document.querySelector('main')!).render(
  <QueryClientProvider client={queries}>
    <h1>Orders</h1>
    <Shop />
  </QueryClientProvider>,
);
