CREATE TABLE toy (
  id bigint PRIMARY KEY,
  name text NOT NULL,
  tag text
);
