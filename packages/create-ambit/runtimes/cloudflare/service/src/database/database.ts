export type Value = string | number | null;
export type Row = Record<string, unknown>;

/** What the application needs of a database. The statements are those of SQLite. */
export interface Database {
  /** Runs one statement, in which `$1` stands for the first of the values. */
  query(sql: string, ...values: Value[]): Promise<Row[]>;
}
