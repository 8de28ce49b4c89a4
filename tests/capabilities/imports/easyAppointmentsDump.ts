/** A dump of an Easy!Appointments database, of our own making: tables and columns as 1.5 has them, as mysqldump or phpMyAdmin writes it. */

type Value = string | number | null
const COLUMNS = {
  roles: ["id", "name", "slug"],
  settings: ["id", "name", "value"],
  services: [
    ...["id", "name", "duration", "price", "currency", "description", "color", "location", "availabilities_type"],
    ...["attendants_number", "is_private", "id_service_categories"]
  ],
  services_providers: ["id_users", "id_services"],
  users: [
    ...["id", "first_name", "last_name", "email", "mobile_number", "phone_number", "address", "city", "zip_code"],
    ...["notes", "timezone", "language", "custom_field_1", "id_roles"]
  ],
  user_settings: ["id_users", "username", "password", "working_plan", "working_plan_exceptions"],
  appointments: [
    ...["id", "book_datetime", "start_datetime", "end_datetime", "notes", "hash", "status", "is_unavailability"],
    ...["id_users_provider", "id_users_customer", "id_services"]
  ],
  blocked_periods: ["id", "name", "start_datetime", "end_datetime"],
  webhooks: ["id", "url"]
} as const
export type Tables = { readonly [K in keyof typeof COLUMNS]?: ReadonlyArray<ReadonlyArray<Value>> }

const escaped = (value: Value) =>
  value === null
    ? "NULL"
    : typeof value === "number"
      ? String(value)
      : `'${value.replace(/\\/g, "\\\\").replace(/'/g, "\\'").replace(/\n/g, "\\n")}'`

/** `named`: INSERT names the columns, as phpMyAdmin's. */
export const dumpOf = (tables: Tables, named = false) =>
  [
    "-- MySQL dump 10.13\n/*!40101 SET NAMES utf8mb4 */;",
    ...Object.entries(COLUMNS).flatMap(([table, columns]) => {
      const rows = Object.entries(tables).find(([name]) => name === table)?.[1] ?? []
      const list = columns.map((column) => `  \`${column}\` varchar(256) DEFAULT ';'`).join(",\n")
      const into = named ? ` (${columns.map((column) => `\`${column}\``).join(", ")})` : ""
      return [
        `DROP TABLE IF EXISTS \`ea_${table}\`;`,
        `CREATE TABLE \`ea_${table}\` (\n${list},\n  PRIMARY KEY (\`id\`)\n) ENGINE=InnoDB;`,
        ...(rows.length === 0
          ? []
          : [
              `INSERT INTO \`ea_${table}\`${into} VALUES ${rows.map((row) => `(${row.map(escaped).join(",")})`).join(",\n")};`
            ])
      ]
    })
  ].join("\n")
