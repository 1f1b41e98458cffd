// Who is measured, and what each must be beaten by. A target is from the issue: medians of ratios.
import { readFileSync } from 'node:fs';
import { project } from './machine.ts';

export interface Contender {
  readonly name: string;
  readonly label: string;
  /** What Node runs, relative to the project. */
  readonly script: string;
  /** Options of Node before it, and its environment. */
  readonly nodeOptions: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** It stores plants: the rows are counted. Else it only echoes and checks nothing. */
  readonly stores: boolean;
  /** It runs on the contract with GitHub's operations beside ours. */
  readonly isLarge: boolean;
  /** PostgreSQL is the bench's own, on the core that loads. */
  readonly database: 'sqlite' | 'postgres';
  /** Each is loaded with its share of the connections. */
  readonly processes: number;
  /** Whose creates/s its own are held against, by name. */
  readonly base: string;
  /** What it is loaded with; the first counts for its target. */
  readonly connections: readonly number[];
  /** It logs each request to its standard output: the lines are counted. */
  readonly logs: boolean;
  /** How many times faster the base must be, at least. */
  readonly target: number | undefined;
  /** Why a result would not say what the target asks. */
  readonly caveat: string | undefined;
}

export const CONNECTIONS = 32;
/** What this project is loaded with beside that. */
export const OTHER_CONNECTIONS = [1, 512];
/** A commit of a database server is a round trip, which only many creates at a time can share. */
const POSTGRES_CONNECTIONS = [256, CONNECTIONS];

const plain = {
  nodeOptions: [],
  environment: {},
  stores: true,
  isLarge: false,
  database: 'sqlite',
  processes: 1,
  base: 'ours',
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
  ...asStarted(),
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
  nodeOptions: optionsOfTheImage(),
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

/** What stands around `src/main.ts` where the project is started: `NAME=value … node --option … script`. */
function asStarted(): Pick<Contender, 'environment' | 'nodeOptions'> {
  const manifest = JSON.parse(readFileSync(`${project}/package.json`, 'utf8'));
  const words: string[] = manifest.scripts.start.split(' ');
  const at = words.indexOf('node');
  return {
    environment: Object.fromEntries(words.slice(0, at).map((word) => word.split('='))),
    nodeOptions: words.slice(at + 1, -1),
  };
}

function optionsOfTheImage(): string[] {
  const [, command = ''] = /^CMD (.*)$/m.exec(readFileSync(`${project}/Dockerfile`, 'utf8'))!;
  return JSON.parse(command).slice(1, -1);
}
