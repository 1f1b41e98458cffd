// The tests: how they run, and which files `make test` leaves to `make test-all`.
import { availableParallelism } from 'node:os';
import { isTestAll } from '@stubwright/test-support/testAll';
import type { Config } from 'jest';

/**
 * Files that only `make test-all` runs, because they start many processes, cause real faults, or need
 * packages or programs of their own. The value is the file that represents each in `make test`. Single tests are marked with
 * `inTestAll`.
 */
export const ONLY_IN_TEST_ALL: Readonly<Record<string, string>> = {
  'packages/cli/test/client/commonJs.test.ts': 'packages/cli/test/client/client.test.ts',
  'packages/cli/test/client/groups.test.ts': 'packages/cli/test/client/client.test.ts',
  'packages/cli/test/client/idempotencyKeys.test.ts': 'packages/cli/test/client/client.test.ts',
  'packages/cli/test/client/idempotentService.test.ts': 'packages/client/test/retries.test.ts',
  'packages/cli/test/client/msw.test.ts': 'packages/cli/test/client/client.test.ts',
  'packages/cli/test/client/pagination.test.ts': 'packages/cli/test/client/client.test.ts',
  'packages/cli/test/client/patches.test.ts': 'packages/contract/test/patch/jsonPatch.test.ts',
  'packages/cli/test/client/servedPages.test.ts': 'packages/stubwright/test/pages.test.ts',
  'packages/cli/test/client/tanstack.test.ts': 'packages/client/test/queryKey.test.ts',
  'packages/cli/test/client/valueTypes.test.ts': 'packages/client/test/conversions.test.ts',
  'packages/cli/test/connectedSchemas.test.ts': 'packages/cli/test/loading/limits.test.ts',
  'packages/cli/test/devSaves.test.ts': 'packages/cli/test/dev.test.ts',
  'packages/cli/test/hostileContracts.test.ts': 'packages/cli/test/loading/containment.test.ts',
  'packages/cli/test/partNames.test.ts': 'packages/diff/test/brokenCallers.test.ts',
  'packages/cli/test/releasedService.test.ts': 'packages/cli/test/release.test.ts',
  'packages/cli/test/serving/compileCost.test.ts': 'packages/cli/test/serving/serveVersion.test.ts',
  'packages/cli/test/serving/compileFailures.test.ts':
    'packages/cli/test/serving/serveVersion.test.ts',
  'packages/service/test/docs/page.test.ts': 'packages/service/test/docs/docs.test.ts',
  'packages/service/test/exampleCurl.test.ts': 'test/main.test.ts',
  'packages/service/test/issuer.test.ts': 'packages/service/test/operations/introspection.test.ts',
  'packages/service/test/stop.test.ts': 'packages/service/test/process.test.ts',
  'packages/service/test/stopReconnects.test.ts': 'packages/service/test/process.test.ts',
  'packages/service/test/versionsAlike.test.ts': 'packages/service/test/versions.test.ts',
  'packages/stubwright/test/bodyGrowth.test.ts': 'packages/stubwright/test/linearParsing.test.ts',
  'packages/stubwright/test/uploadLimits.test.ts': 'packages/stubwright/test/uploads.test.ts',
  'packages/versions/test/volume.test.ts': 'packages/versions/test/conversion.test.ts',
  'packages/webhooks/test/hostileReceivers.test.ts': 'packages/webhooks/test/webhooks.test.ts',
  'test/api/backup.test.ts': 'packages/store/test/sqliteBackup.test.ts',
  'test/api/docsPage.test.ts': 'packages/service/test/docs/docs.test.ts',
  'test/api/postgresFaults.test.ts': 'test/api/durability.test.ts',
  'test/api/sqliteReadiness.test.ts': 'packages/store/test/readiness.test.ts',
  'test/chat.test.ts': 'packages/stubwright/test/streams.test.ts',
  'test/faults/disk/faults.test.ts': 'test/faults/disk/powerCut.test.ts',
  'test/faults/disk/syncs.test.ts': 'packages/store/test/logSync.test.ts',
  'test/faults/faults.test.ts': 'test/api/durability.test.ts',
  'test/faults/standby.test.ts': 'test/api/durability.test.ts',
  'test/fleet/fleet.test.ts': 'test/fleet/columns.test.ts',
  'test/reactPage.test.ts': 'packages/service/test/docs/docs.test.ts',
  'test/recordedTraffic.test.ts': 'packages/diff/test/brokenCallers.test.ts',
  'test/sdk/sdk.test.ts': 'test/released.test.ts',
  'packages/store/test/idempotency.test.ts': 'packages/stubwright/test/idempotency.test.ts',
  'packages/store/test/move.test.ts': 'test/store/migrateStore.test.ts',
  'packages/store/test/outbox.test.ts': 'packages/webhooks/test/outboxTransactions.test.ts',
  'packages/store/test/pages.test.ts': 'test/pages.test.ts',
  'test/store/pgbouncer.test.ts': 'packages/store/test/conformance.test.ts',
  'packages/store/test/postgres.test.ts': 'packages/store/test/conformance.test.ts',
  'packages/store/test/postgresAvailability.test.ts': 'packages/store/test/conformance.test.ts',
  'packages/store/test/postgresDurability.test.ts': 'packages/store/test/conformance.test.ts',
  'packages/store/test/postgresTable.test.ts': 'packages/store/test/conformance.test.ts',
  'test/store/storePage.test.ts': 'test/store/orm.test.ts',
  'test/transactions.test.ts': 'packages/stubwright/test/contexts.test.ts',
  'test/versionsExample.test.ts': 'test/parcels.test.ts',
  'test/versionsTutorial.test.ts': 'packages/cli/test/serving/serveVersion.test.ts',
  'test/walkthrough.test.ts': 'packages/cli/test/process.test.ts',
  'test/webhookService.test.ts': 'packages/webhooks/test/outboxTransactions.test.ts',
};

const notInMakeTest = isTestAll ? [] : Object.keys(ONLY_IN_TEST_ALL);

/** Node imports the tests: the files of a worker share the modules of the sources. */
export const native = {
  testEnvironment: '<rootDir>/test/support/native/environment.ts',
  testRunner: '<rootDir>/test/support/native/testRunner.ts',
  transform: {},
} satisfies Config;

const others = {
  ...native,
  roots: ['<rootDir>/test', '<rootDir>/packages'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/packages/cli/templates/',
    '<rootDir>/test/(?:adoption|api|publishing|site)/',
    ...notInMakeTest.map((file) => `<rootDir>/${file}$`),
  ],
  globalSetup: '<rootDir>/test/support/startOfRun.ts',
} satisfies Config;

/** Compiled by ts-jest, each file in a vm context; of the packages it would load built files. */
const service = {
  roots: ['<rootDir>/test/api'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: notInMakeTest.map((file) => `<rootDir>/${file}$`),
  setupFiles: ['<rootDir>/test/support/propertySeed.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '/packages/.+\\.ts$': '<rootDir>/test/support/stripTypes.ts',
    '^.+\\.ts$': ['ts-jest', { diagnostics: false }],
  },
} satisfies Config;

export default {
  projects: [others, service],
  // For a busy machine: no test asserts a time.
  testTimeout: isTestAll ? 600_000 : 120_000,
  // The kernel frees the memory of a worker in up to a second on a busy machine.
  workerGracefulExitTimeout: 10_000,
  // A fifth of the time of a worker is a wait.
  maxWorkers: availableParallelism() + 1,
  // A new worker loads all modules again.
  workerIdleMemoryLimit: '1GB',
} satisfies Config;
