// A real OpenID provider for a test: it issues, rotates its keys, dies, and comes back.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** The resource whose tokens are no JWTs. */
const OPAQUE = 'https://opaque.example';

export interface Issuer {
  /** The settings under which the service accepts its tokens. */
  readonly env: Record<'JWKS_URL' | 'JWT_ISSUER' | 'JWT_AUDIENCE', string>;
  /** @returns a fresh access token (client credentials) with these scopes */
  issue(scope?: string): Promise<string>;
  /** The settings under which the service asks it about opaque tokens. */
  readonly introspectionEnv: Record<`INTROSPECTION_${string}`, string>;
  /** @returns a fresh opaque access token with these scopes */
  issueOpaque(scope?: string): Promise<string>;
  revoke(token: string): Promise<void>;
  /** Signs with a new key from now on, and publishes both. */
  rotate(): Promise<void>;
  /** Ends its process with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it at the same address, with keys that nobody has seen. */
  revive(): Promise<void>;
}

export async function startIssuer(): Promise<Issuer> {
  let { child, url, audience } = await start(0);
  const ask = async (path: string, form: Record<string, string>) => {
    const response = await fetch(url + path, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: {
        Authorization: `Basic ${Buffer.from('player:secret').toString('base64')}`,
        Connection: 'close',
      },
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`the issuer answered ${text}`);
    return text;
  };
  const issueFor = async (resource: string, scope = ''): Promise<string> => {
    const grant = { grant_type: 'client_credentials', resource, ...(scope && { scope }) };
    return JSON.parse(await ask('/token', grant)).access_token;
  };
  return {
    env: { JWKS_URL: `${url}/jwks`, JWT_ISSUER: url, JWT_AUDIENCE: audience },
    introspectionEnv: {
      INTROSPECTION_URL: `${url}/token/introspection`,
      INTROSPECTION_CLIENT_ID: 'player',
      INTROSPECTION_CLIENT_SECRET: 'secret',
      INTROSPECTION_AUDIENCE: OPAQUE,
    },
    issue: (scope) => issueFor(audience, scope),
    issueOpaque: (scope) => issueFor(OPAQUE, scope),
    async revoke(token) {
      await ask('/token/revocation', { token });
    },
    async rotate() {
      const rotated = once(child, 'message');
      child.send('rotate');
      await rotated;
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
    async revive() {
      ({ child } = await start(Number(new URL(url).port)));
    },
  };
}

async function start(port: number) {
  const child: ChildProcess = fork('packages/test-support/issuerProcess.ts', [String(port)], {
    execArgv: [],
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr!.on('data', (chunk) => {
    errors += chunk;
  });
  const started = once(child, 'message').then(([message]) => message);
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the issuer ended: ${errors}`);
  });
  const { url, audience } = (await Promise.race([started, ended])) as Record<string, string>;
  ended.catch(() => {});
  return { child, url: url!, audience: audience! };
}
