import { Effect, Option, Schema } from "effect"
import { seeOther } from "../../../../http/hosted/serving/pageHandler.ts"
import { JoinToken } from "../../../../schemas/scheduling/JoinToken.ts"
import { InProcessApi } from "../../../shared/http/InProcessApi.ts"
import { answerOf } from "../../../shared/http/refusals.ts"
import { Console, withRefusal } from "../serving/Console.tsx"
import type { Fields } from "../serving/formFields.ts"

/** Joins a call from the appointment list; leads to the page with the call and the patient's card. */
export const joinCall = Effect.gen(function* () {
  const { form } = yield* Console
  const { send } = yield* InProcessApi
  const join = (fields: Fields) =>
    Effect.gen(function* () {
      const uid = encodeURIComponent(fields.get("appointment_uid")?.[0] ?? "")
      const operation = `/v1/doctor/appointments/${uid}/join`
      const response = yield* send("POST", operation, {})
      const joined = Schema.decodeUnknownOption(JoinToken)(yield* answerOf(response))
      if (Option.isNone(joined)) return yield* withRefusal("/console/doctor", `POST ${operation}`, response, fields)
      const { room_name, token } = joined.value
      const query = new URLSearchParams({ room: room_name, jwt: token })
      return seeOther(`/console/doctor/appointments/${uid}/call?${query}`)
    })
  return { handler: form("doctor", join) } as const
})
