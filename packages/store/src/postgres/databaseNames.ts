// The names that all statements of a store share, and how its reads become durable.
import { escapeIdentifier, escapeLiteral } from 'pg';
import { type MarkKind, markOf } from './mark.ts';

// Per transaction: a configuration reload or a transaction pooler would reset settings of the session.
// synchronous_commit is not overridden, except for off, which would acknowledge commits that a crash
// loses. client_min_messages permits the warning about a cancelled wait for a standby.
export const DURABLE = `
  set_config('synchronous_commit',
             coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), true),
  set_config('client_min_messages', 'warning', true)`;

/**
 * Tables are qualified: with the search path, a table of the same name in an earlier schema, or in a later
 * one after a rename, would be used instead.
 */
export class DatabaseNames {
  /** The schema of the tables. */
  readonly schema: string;
  /** An expression that makes the rows that a transaction has read durable. */
  readonly mark: string;

  constructor(schema: string, { name, kind }: { readonly name: string; readonly kind: MarkKind }) {
    this.schema = schema;
    this.mark = markOf(kind, `${name}-store`, this.table(`${name}_migration`));
  }

  /** @returns the qualified name of a table */
  table(name: string): string {
    return `${escapeIdentifier(this.schema)}.${escapeIdentifier(name)}`;
  }

  /** @returns a literal with the qualified name of a table */
  literal(name: string): string {
    return escapeLiteral(this.table(name));
  }
}
