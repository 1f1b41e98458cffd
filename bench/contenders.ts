// Who is measured, and what each must be beaten by. A target is from the issue: medians of ratios.

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
  /** It logs each request to its standard output: the lines are counted. */
  readonly logs: boolean;
  /** How many times faster this project must be, at least. */
  readonly target: number | undefined;
  /** Why a result would not say what the target asks. */
  readonly caveat: string | undefined;
}

const plain = {
  nodeOptions: [],
  environment: {},
  stores: true,
  isLarge: false,
  logs: false,
  target: undefined,
  caveat: undefined,
};
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
  // As `make start` has them.
  nodeOptions: ['--max-semi-space-size=4'],
  environment: { NODE_COMPILE_CACHE: 'node_modules/.cache/compiled' },
  logs: true,
};

export const oursLarge: Contender = {
  ...ours,
  name: 'oursLarge',
  label: 'this project, 1,224 operations',
  isLarge: true,
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
];
