-- For SQLite and PostgreSQL.
CREATE TABLE vehicle (
  id bigint NOT NULL PRIMARY KEY,
  plate text NOT NULL UNIQUE,
  place text NOT NULL,
  version bigint NOT NULL,
  load bigint NOT NULL CHECK (load >= 0)
);
CREATE TABLE transfer (
  id bigint NOT NULL PRIMARY KEY,
  source bigint NOT NULL REFERENCES vehicle,
  target bigint NOT NULL REFERENCES vehicle,
  amount bigint NOT NULL
);
