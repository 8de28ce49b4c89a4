import { Effect } from "effect"
import { Settings } from "../../../config.ts"
import { AppointmentUid } from "../../../schemas/ids.ts"
import { seeOther } from "../../hosted/serving/pageHandler.ts"
import { Console } from "../serving/Console.tsx"

/** One press from the list into the room. */
export const joinCall = Effect.gen(function* () {
  const { form, api } = yield* Console
  const { baseUrl, meetingsUrl } = yield* Settings
  return form("doctor", (fields) =>
    Effect.gen(function* () {
      const appointment_uid = AppointmentUid.make(fields.get("appointment_uid")?.[0] ?? "")
      const { room_name, token } = yield* api.doctor.join({ path: { appointment_uid } })
      const query = new URLSearchParams({ jwt: token, return_url: `${baseUrl}/console/doctor` })
      return seeOther(`${meetingsUrl}/meeting/${encodeURIComponent(room_name)}?${query}`)
    })
  )
})
