// Lists plants page by page, and creates them.
import {
  QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { connect } from './client/index.js';
import { createPlant, listPlants } from './client/query.js';

const connection = connect({ baseUrl: location.origin });
// The client retries by itself.
const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });

function Plants() {
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery(
    listPlants.infiniteQueryOptions(connection),
  );
  if (error !== null) return <p role="alert">{error.message}</p>;
  const plants = data?.pages.flatMap(({ body }) => body.plants) ?? [];
  return (
    <>
      <ul>
        {plants.map(({ id, name }) => (
          <li key={String(id)}>
            {String(id)} {name}
          </li>
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

function NewPlant() {
  const cache = useQueryClient();
  const create = useMutation({
    ...createPlant.mutationOptions(connection),
    onSuccess: () => cache.invalidateQueries({ queryKey: listPlants.queryKey() }),
  });
  const submit = (form: FormData) =>
    create.mutate({ body: { id: BigInt(String(form.get('id'))), name: String(form.get('name')) } });
  return (
    <form action={submit}>
      <label>
        Id <input name="id" required pattern="-?[0-9]+" />
      </label>
      <label>
        Name <input name="name" required />
      </label>
      <button type="submit">Create</button>
      {create.isSuccess && <output>{`${create.data.id} is stored`}</output>}
      {create.error?.name === 'ErrorReply' && (
        <p role="alert">{create.error.reply.body.detail}</p>
      )}
    </form>
  );
}

createRoot(document.querySelector('main')!).render(
  <QueryClientProvider client={queries}>
    <h1>Plants</h1>
    <Plants />
    <NewPlant />
  </QueryClientProvider>,
);
