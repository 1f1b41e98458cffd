// The limits of connections and the timeouts of a server.

/** The limits of a public server; tests may lower them. */
export const limits = {
  /** Node's default, and the limit of common proxies. */
  maxHeaderBytes: 16 * 1024,
  /** Closes connections of broken clients and of slowloris attacks. */
  headersTimeoutMs: 10_000,
  /** Enough for the largest body over a slow mobile connection. */
  requestTimeoutMs: 30_000,
  /** Longer than the usual 60 s of load balancers: the balancer closes an idle connection first. */
  keepAliveTimeoutMs: 65_000,
  /** Interval between checks of headersTimeoutMs, requestTimeoutMs, writeTimeoutMs and stallMs. */
  timeoutCheckMs: 1_000,
  /** Time between the last response and the end of the connection, for input that still arrives. */
  lingerMs: 1_000,
  /**
   * Maximum wait for a client that does not read its response. TCP reports progress in steps of a third
   * of the send buffer: a client that reads 10 KiB/s needs several seconds for a step.
   */
  writeTimeoutMs: 30_000,
  /**
   * At the limit of connections, one that has been idle for this long is closed for another, and one
   * whose client has read less than `minBytesPerSecond` for this long.
   */
  stallMs: 5_000,
  /** A slow mobile connection. */
  minBytesPerSecond: 10 * 1024,
  /** Maximum time at shutdown to accept the connections of the accept queue. */
  acceptMs: 1_000,
  /** One round trip: at shutdown, time for requests that are in transit on idle connections. */
  settleMs: 300,
  /** Time for requests in flight at shutdown, until their signals are aborted. */
  abortMs: 5_000,
  /** Maximum time for requests in flight at shutdown; supervisors kill after 10 s. */
  drainMs: 8_000,
};

/** The limits of a server: bytes, milliseconds, and a share. */
export type Limits = Readonly<typeof limits>;
