// Creates a plant with the generated client, in a browser.
import { createClient, NoResponse } from 'plant-store';
import '../../examples/orders/style.css';

const form = document.querySelector('form');
const output = document.querySelector('output');

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { baseUrl, token, id, name } = Object.fromEntries(new FormData(form));
  const plants = createClient({ baseUrl, bearerAuth: token });
  try {
    const reply = await plants.createPlant({ body: { id: BigInt(id), name } });
    output.textContent =
      reply.status === 200
        ? `${reply.body.name} is stored under ${id}`
        : `${reply.status}: ${reply.body.message}`;
  } catch (error) {
    output.textContent =
      error instanceof NoResponse ? `no response: ${error.cause}` : String(error);
  }
});
