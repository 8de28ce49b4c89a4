/** A row that cannot be changed or deleted, whatever the service does. */
import { using } from "./postgres.ts"

/** Has the database refuse the operation on the table's rows for which the condition on `OLD` holds; gives what ends it. */
export const refuse = async (databaseUrl: string, operation: "UPDATE" | "DELETE", table: string, when: string) => {
  const asOwner = (statement: string) => using(databaseUrl, (client) => client.query(statement))
  await asOwner(`CREATE FUNCTION refuse_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
    CREATE TRIGGER refuse BEFORE ${operation} ON ${table} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION refuse_${table}()`)
  return () => asOwner(`DROP FUNCTION refuse_${table} CASCADE`)
}
