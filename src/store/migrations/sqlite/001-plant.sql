-- STRICT: a column holds its declared type or the insert fails. A plant without a tag has NULL.
CREATE TABLE plant (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  tag TEXT
) STRICT;
