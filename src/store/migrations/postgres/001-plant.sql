-- Text and bigint hold every name, tag and id of the contract exactly. A plant without a tag has NULL.
CREATE TABLE plant (
  id bigint PRIMARY KEY,
  name text NOT NULL,
  tag text
);
