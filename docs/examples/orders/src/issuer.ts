// Stands in for the issuer of your tokens, such as Auth0, Keycloak or Entra ID: anybody may be anybody.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const AUDIENCE = 'https://orders.example';

export interface Issuer {
  /** With which the service accepts its tokens. */
  readonly settings: Readonly<Record<'JWKS_URL' | 'JWT_ISSUER' | 'JWT_AUDIENCE', string>>;
  /** @returns an access token (RFC 9068) */
  tokenFor(name: string): Promise<string>;
}

/** Publishes a new key on a free port, as long as the process runs. */
export async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] });
  const server = createServer((_req, res) => {
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(keys);
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: { JWKS_URL: `${url}/jwks.json`, JWT_ISSUER: url, JWT_AUDIENCE: AUDIENCE },
    tokenFor: (name) =>
      new SignJWT({ client_id: 'page' })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
        .setIssuer(url)
        .setAudience(AUDIENCE)
        .setSubject(name)
        .setJti(randomUUID())
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey),
  };
}
