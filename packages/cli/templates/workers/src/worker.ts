// The service on Cloudflare Workers, Deno Deploy and others: `npx wrangler dev` runs it.
import { createApi } from "stubwright";
import { fetchHandler } from "stubwright/fetch";
import contract from "../generated/contract.json" with { type: "json" };
import { handlers } from "./handlers/index.ts";

/** The bindings of the Worker. */
export interface Env {
  /** The token of all callers: `npx wrangler secret put API_TOKEN`. */
  readonly API_TOKEN?: string;
{{cursorBinding}}}

/** The security schemes of the contract: all have the same token. */
const SCHEMES: readonly string[] = {{schemes}};

let handle: ((request: Request) => Promise<Response>) | undefined;

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    handle ??= fetchHandler(await apiOf(env));
    return handle(request);
  },
};

function apiOf(env: Env) {
  const { API_TOKEN } = env;
  const verify = async (
    token: string,
    _request: unknown,
    scopes: readonly string[],
  ) => {
    if (API_TOKEN === undefined) return undefined;
    const isSame = sameBytes(await digestOf(token), await digestOf(API_TOKEN));
    return isSame ? { name: "client", scopes } : undefined;
  };
  return createApi({
    contract,
    handlers,
    verifiers: Object.fromEntries(SCHEMES.map((name) => [name, verify])),
    context: () => ({}),
{{cursorSecrets}}  });
}

async function digestOf(text: string): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** The digests do not reveal the token by their time. */
function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.every((byte, at) => byte === b[at]);
}
