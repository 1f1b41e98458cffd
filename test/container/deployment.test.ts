// compose.yaml and docs/plant-store/kubernetes.yaml, compared with the Dockerfile and the settings of the service. Neither is given to an engine or a cluster.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { assignments, instructions } from './image.ts';

/** What the service adds to SHUTDOWN_GRACE at most: the drain's 8 s, and time to commit and close. */
const AFTER_GRACE_SECONDS = 15;

const dockerfile = instructions(readFileSync('Dockerfile', 'utf8'));
const inImage: Record<string, string> = Object.assign(
  {},
  ...dockerfile.filter(({ name }) => name === 'ENV').map(({ rest }) => assignments(rest)),
);
/** The documented settings. */
const settings = ['stubwright', 'plant-store']
  .map((folder) => readFileSync(`docs/${folder}/configuration.md`, 'utf8'))
  .flatMap((page) => [...page.matchAll(/^\| `([A-Z_]+)` /gm)])
  .map(([, name]) => name);
const compose = parse(readFileSync('compose.yaml', 'utf8'));
const [manifest = ''] = readFileSync('docs/plant-store/kubernetes.yaml', 'utf8').split('\n---\n');
const pod = parse(manifest).spec.template.spec;
const [container] = pod.containers;

describe('compose.yaml', () => {
  const { service, postgres } = compose.services;
  const environment: Record<string, string> = Object.fromEntries(
    Object.entries(service.environment).map(([name, value]) => [
      name,
      String(value).replace(/\$\{[^}]*\}/g, 'secret1'),
    ]),
  );

  it('sets existing settings', () => {
    const config = readConfig({ ...inImage, ...environment });
    expect(Object.keys(environment).filter((name) => !settings.includes(name))).toEqual([]);
    expect(service.stop_grace_period).toBe(`${config.shutdownGraceSeconds + AFTER_GRACE_SECONDS}s`);
    expect(service.ports).toEqual([expect.objectContaining({ target: config.port })]);
  });

  it('gives the tokens as a secret, and the database by its name and with its password', () => {
    const [secret] = service.secrets;
    expect(Object.keys(compose.secrets)).toEqual([secret]);
    expect(environment['API_TOKENS_FILE']).toBe(`/run/secrets/${secret}`);
    const { hostname, username, pathname } = new URL(environment['DATABASE_URL']!);
    expect(Object.keys(compose.services)).toContain(hostname);
    expect([username, pathname]).toEqual([
      postgres.environment.POSTGRES_USER,
      `/${postgres.environment.POSTGRES_USER}`,
    ]);
    expect(service.environment.DATABASE_URL).toContain(postgres.environment.POSTGRES_PASSWORD);
  });

  it('runs replicas on ports of their own, read-only and without privileges', () => {
    const [, first, last] = /^(\d+)-(\d+)$/.exec(service.ports[0].published)!;
    expect(Number(last) - Number(first) + 1).toBe(service.deploy.replicas);
    expect([service.read_only, service.cap_drop]).toEqual([true, ['ALL']]);
    expect(service.depends_on.postgres.condition).toBe('service_healthy');
    expect(postgres.healthcheck.test).toContain('pg_isready');
  });
});

describe('the Kubernetes manifest', () => {
  const set = container.env as { name: string; value?: string }[];
  const environment = Object.fromEntries(set.map(({ name, value }) => [name, value]));

  it('sets existing settings, and waits for the shutdown', () => {
    const config = readConfig({ ...inImage, ...environment });
    expect(Object.keys(environment).filter((name) => !settings.includes(name))).toEqual([]);
    expect(pod.terminationGracePeriodSeconds).toBe(
      config.shutdownGraceSeconds + AFTER_GRACE_SECONDS,
    );
    const [mount] = container.volumeMounts;
    const [volume] = pod.volumes;
    expect(volume.name).toBe(mount.name);
    expect(config.apiTokensFile).toBe(`${mount.mountPath}/${volume.secret.items[0].path}`);
  });

  it('probes the admin listener, and runs like the image', () => {
    const config = readConfig({ ...inImage, ...environment });
    expect(container.ports).toEqual([
      { name: 'http', containerPort: config.port },
      { name: 'admin', containerPort: config.admin?.port },
    ]);
    expect(config.admin?.host).toBe('0.0.0.0');
    expect(container.livenessProbe.httpGet).toEqual({ path: '/livez', port: 'admin' });
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'admin' });
    const users = dockerfile.filter(({ name }) => name === 'USER').map(({ rest }) => rest);
    expect(users.at(-1)).toBe(`${pod.securityContext.runAsUser}:${pod.securityContext.fsGroup}`);
    expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
  });
});
