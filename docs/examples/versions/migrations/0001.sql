CREATE TABLE parcels (
  id integer PRIMARY KEY AUTOINCREMENT,
  given_name text,
  family_name text NOT NULL,
  grams integer NOT NULL,
  service text NOT NULL,
  note text,
  state text NOT NULL,
  cancelled_for text
);
CREATE TABLE scans (
  id integer PRIMARY KEY AUTOINCREMENT,
  parcel integer NOT NULL REFERENCES parcels (id),
  place text NOT NULL,
  state text NOT NULL,
  at text NOT NULL
);
