-- Runs once, on SQLite and on PostgreSQL. Changes of the schema are further files: 0002.sql.
CREATE TABLE "{{table}}" (
{{definitions}}
);
