// The measured services and the target ratio for each.
import { readFileSync } from 'node:fs';
import { project } from './machine.ts';

export interface Contender {
  readonly name: string;
  readonly label: string;
  /** Path of the script, relative to the project. */
  readonly script: string;
  readonly nodeOptions: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Stores plants, and the bench counts the rows. An echo stores and validates nothing. */
  readonly stores: boolean;
  /** Uses the contract that includes GitHub's operations. */
  readonly isLarge: boolean;
  /** `postgres` is started by the bench, on the core of the load generator. */
  readonly database: 'sqlite' | 'postgres';
  /** The connections are divided equally among them. */
  readonly processes: number;
  /** Name of the contender in the numerator of the ratio. */
  readonly base: string;
  /** One measurement for each number; the target applies to the first. */
  readonly connections: readonly number[];
  /** Logs each request to standard output, and the bench counts the lines. */
  readonly logs: boolean;
  /** True to report its share of the base's creates/s; false for the inverse. */
  readonly isShare: boolean;
  /** Minimum of creates/s of the base over its own, or of its share. */
  readonly target: number | undefined;
  /** Reason why a result cannot meet the target. */
  readonly caveat: string | undefined;
}

export const CONNECTIONS = 32;
/** Additional numbers of connections for this project. */
export const OTHER_CONNECTIONS = [1, 512];
/** Each commit of a database server costs a round trip, which concurrent creates share. */
const POSTGRES_CONNECTIONS = [256, CONNECTIONS];

const plain = {
  nodeOptions: [],
  environment: {},
  stores: true,
  isLarge: false,
  database: 'sqlite',
  processes: 1,
  base: 'ours',
  isShare: false,
  connections: [CONNECTIONS],
  logs: false,
  target: undefined,
  caveat: undefined,
} as const;
const peer = (name: string, label: string, rest: Partial<Contender>): Contender => ({
  ...plain,
  name,
  label,
  script: `bench/contenders/${name}.ts`,
  ...rest,
});

export const ours: Contender = {
  ...plain,
  name: 'ours',
  label: 'this project',
  script: 'src/main.ts',
  connections: [CONNECTIONS, ...OTHER_CONNECTIONS],
  ...startOptions(),
  logs: true,
};

export const oursLarge: Contender = {
  ...ours,
  name: 'oursLarge',
  label: 'this project, 1,224 operations',
  connections: [CONNECTIONS],
  isLarge: true,
};

const oursPostgres: Contender = {
  ...ours,
  name: 'oursPostgres',
  label: 'this project on PostgreSQL',
  nodeOptions: imageNodeOptions(),
  database: 'postgres',
  base: 'oursPostgres',
  connections: POSTGRES_CONNECTIONS,
};

export const contenders: readonly Contender[] = [
  ours,
  oursLarge,
  peer('openapiBackend', 'openapi-backend + Koa', { target: 4 }),
  peer('openapiBackendLarge', 'the same, 1,224 operations', {
    script: 'bench/contenders/openapiBackend.ts',
    isLarge: true,
    target: 150,
  }),
  peer('fastifyGlue', 'fastify-openapi-glue', { target: 3 }),
  peer('express', 'express-openapi-validator', { target: 4.5 }),
  peer('koaRouterZod', 'stand-in for nahkies (see README)', {
    target: 3.5,
    caveat: "not measured: a stand-in, nahkies' packages are not on the registry",
  }),
  peer('koaEcho', 'bare Koa + koa-bodyparser echo', { target: 0.95, stores: false }),
  peer('fastifyGlueOurStore', 'fastify-openapi-glue on our store', { target: 0.95 }),
  peer('koaOurStore', 'stubwright/koa on our store, of glue on it', {
    base: 'fastifyGlueOurStore',
    isShare: true,
    target: 0.85,
  }),
  peer('nodeOurStore', 'stubwright/node on our store, of glue on it', {
    base: 'fastifyGlueOurStore',
    isShare: true,
    target: 1,
  }),
  peer('nodeHttpEcho', 'bare node:http echo', { stores: false }),
  oursPostgres,
  {
    ...oursPostgres,
    name: 'oursPostgres2',
    label: 'the same, 2 processes',
    processes: 2,
  },
  {
    ...oursPostgres,
    name: 'pgPool',
    label: 'the same, one INSERT per request (pg pool)',
    script: 'bench/contenders/pgPool.ts',
    target: 3,
  },
];

/** Parses the start script of package.json: `NAME=value … node --option … script`. */
function startOptions(): Pick<Contender, 'environment' | 'nodeOptions'> {
  const manifest = JSON.parse(readFileSync(`${project}/package.json`, 'utf8'));
  const words: string[] = manifest.scripts.start.split(' ');
  const at = words.indexOf('node');
  return {
    environment: Object.fromEntries(words.slice(0, at).map((word) => word.split('='))),
    nodeOptions: words.slice(at + 1, -1),
  };
}

function imageNodeOptions(): string[] {
  const [, command = ''] = /^CMD (.*)$/m.exec(readFileSync(`${project}/Dockerfile`, 'utf8'))!;
  return JSON.parse(command).slice(1, -1);
}
