// A real OpenID provider as a process that can be killed: `node issuerProcess.ts PORT`, started by
// issuer.ts. It sends its address; the message `rotate` makes it create a new signing key.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { Provider } from 'oidc-provider';

const AUDIENCE = 'https://toys.example';
/** Tokens for it are no JWTs. */
const OPAQUE = 'https://opaque.example';
const server = createServer().listen(Number(process.argv[2]), '127.0.0.1');
server.on('listening', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let keys = [await newKey()];
  serve(url, keys);
  process.on('message', async (message) => {
    if (message !== 'rotate') return;
    keys = [await newKey(), ...keys];
    serve(url, keys);
    process.send!('rotated');
  });
  process.send!({ url, audience: AUDIENCE });
});
process.on('disconnect', () => process.exit());

/** oidc-provider reads its keys once; so a rotation is a new provider at the same address. */
function serve(url: string, keys: readonly JWK[]): void {
  const provider = new Provider(url, {
    jwks: { keys },
    clients: [
      {
        client_id: 'player',
        client_secret: 'secret',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context: unknown, resource: string) => ({
          audience: resource,
          scope: 'toys:read toys:write',
          accessTokenFormat: resource === OPAQUE ? 'opaque' : 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });
  server.removeAllListeners('request').on('request', provider.callback());
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const kid = crypto.randomUUID();
  return { ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'ES256' };
}
