/** Organisations and the administrators whom they notify. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Organisation } from "../../schemas/provisioning/tenancy.ts"

export class Organisations extends Effect.Service<Organisations>()("access/Organisations", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Creates or replaces an organisation of a provisioning file. Administrators that it does not name stay. */
    const provision = Effect.fn("Organisations.provision")(function* ({ uid, admins, ...one }: Organisation) {
      yield* sql`INSERT INTO organisations (organisation_uid, name, timezone, return_url_origins, embed_origins, messages,
          visit_reason_in_messages, patient_live_holds_max, patient_future_appointments_max)
        VALUES (${uid}, ${one.name}, ${one.timezone}, ${[...one.return_url_origins]}, ${[...one.embed_origins]},
          ${[...one.messages]}, ${one.visit_reason_in_messages}, ${one.patient_live_holds_max},
          ${one.patient_future_appointments_max})
        ON CONFLICT (organisation_uid) DO UPDATE SET name = excluded.name, timezone = excluded.timezone,
          return_url_origins = excluded.return_url_origins, embed_origins = excluded.embed_origins,
          messages = excluded.messages, visit_reason_in_messages = excluded.visit_reason_in_messages,
          patient_live_holds_max = excluded.patient_live_holds_max,
          patient_future_appointments_max = excluded.patient_future_appointments_max`
      for (const admin of admins)
        yield* sql`INSERT INTO admins ${sql.insert({ organisation_uid: uid, ...admin })}
          ON CONFLICT (organisation_uid, uid) DO UPDATE
          SET display_name = excluded.display_name, email = excluded.email, phone = excluded.phone`
    })

    /** Whether there is any organisation. */
    const exist = sql`SELECT FROM organisations LIMIT 1`.pipe(
      Effect.map((rows) => rows.length > 0),
      Effect.orDie
    )
    return { provision, exist } as const
  })
}) {}
