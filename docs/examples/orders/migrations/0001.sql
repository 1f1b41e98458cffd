CREATE TABLE placed_order (
  id bigint NOT NULL PRIMARY KEY,
  customer text NOT NULL,
  item text NOT NULL,
  quantity integer NOT NULL,
  note text,
  "placedAt" text NOT NULL,
  version bigint NOT NULL
);
CREATE INDEX placed_order_of_customer ON placed_order (customer, "placedAt", id);

CREATE TABLE stubwright_idempotency (
  id text NOT NULL PRIMARY KEY, fingerprint text NOT NULL, status integer NOT NULL, headers text NOT NULL,
  body bytea, expires_at bigint NOT NULL
);
CREATE INDEX stubwright_idempotency_expiry ON stubwright_idempotency (expires_at);
