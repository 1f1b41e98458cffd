// Failovers of a Patroni cluster under load: three nodes, synchronous replication.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from '../support/load.ts';
import { missingPrograms, PatroniCluster, type PatroniNode } from '../support/patroni.ts';
import { tablesAt } from './application.ts';
import { type Fault, type Row, type Run, runRounds } from './fault.ts';
import { startService } from './services.ts';

export { missingPrograms };

export const faults: Record<string, Fault> = {
  'failover: kill -9 of the primary': (...run) => onCluster(run, killPostgres),
  'failover: kill -9 of Patroni and the primary': (...run) => onCluster(run, killBoth),
  'failover: kill -9 of Patroni alone': (...run) => onCluster(run, killPatroni),
  'failover: primary frozen, thawed later': (...run) => onCluster(run, freeze),
  'failover: primary cut off from the others': (...run) => onCluster(run, disconnect),
  'failover: standbys cut off from the primary': (...run) => onCluster(run, disconnectStandbys),
  'failover: all nodes cut off from each other and from etcd': (...run) =>
    onCluster(run, disconnectAll),
};

/** Makes the leader fail, and ends it; @returns when recovery begins */
type Cause = (cluster: PatroniCluster, leader: PatroniNode, load: Load) => Promise<number>;

/** How long a former primary continues beside the new one. */
const OVERLAP_MS = 2_000;

async function onCluster(run: Run, cause: Cause): Promise<Row> {
  const [, , application] = run;
  await using cleanup = new AsyncDisposableStack();
  const cluster = await PatroniCluster.start();
  cleanup.defer(() => cluster.remove());
  const url = await cluster.createDatabase();
  const services = [
    cleanup.use(await startService(application, url)),
    cleanup.use(await startService(application, url)),
  ] as const;
  return await runRounds(run, {
    urls: services.map((service) => service.url),
    // The cluster shares its processors with the load.
    pauseMs: 50,
    async cause(load) {
      await cluster.untilReplicated();
      return cause(cluster, await cluster.leader(), load);
    },
    async stored() {
      const { pathname } = new URL(url.replace(/@[^/]*/, '@host'));
      const leader = await cluster.leader();
      return tablesAt(application, leader.urlOf(pathname.slice(1)));
    },
  });
}

async function killPostgres(cluster: PatroniCluster, leader: PatroniNode) {
  const failedAt = performance.now();
  leader.killPostgres();
  await cluster.leader({ other: leader });
  return failedAt;
}

async function killBoth(cluster: PatroniCluster, leader: PatroniNode) {
  const failedAt = performance.now();
  leader.killPatroni();
  leader.killPostgres();
  await cluster.leader({ other: leader });
  leader.startPatroni();
  return failedAt;
}

/** PostgreSQL continues and accepts writes, until its Patroni is started again. */
async function killPatroni(cluster: PatroniCluster, leader: PatroniNode) {
  leader.killPatroni();
  await cluster.leader({ other: leader });
  const replacedAt = performance.now();
  await sleep(OVERLAP_MS);
  leader.startPatroni();
  return replacedAt;
}

async function freeze(cluster: PatroniCluster, leader: PatroniNode) {
  const failedAt = performance.now();
  leader.freeze();
  await cluster.leader({ other: leader });
  await sleep(OVERLAP_MS);
  leader.thaw();
  return failedAt;
}

async function disconnect(cluster: PatroniCluster, leader: PatroniNode) {
  const failedAt = performance.now();
  leader.disconnect();
  await cluster.leader({ other: leader });
  await sleep(OVERLAP_MS);
  await leader.untilStandby();
  leader.reconnect();
  return failedAt;
}

/** The primary still leads, and commits nothing. */
async function disconnectStandbys(_cluster: PatroniCluster, leader: PatroniNode, load: Load) {
  leader.disconnectStandbys();
  await load.more(503, 50);
  leader.reconnect();
  return performance.now();
}

async function disconnectAll(cluster: PatroniCluster, leader: PatroniNode, load: Load) {
  for (const node of cluster.nodes) node.disconnect();
  // Without etcd no node may lead.
  while (await leader.isLeader()) await sleep(100);
  await load.more(503, 50);
  await leader.untilStandby();
  for (const node of cluster.nodes) node.reconnect();
  return performance.now();
}
