import { Schema } from "effect"
import { described, UnixSeconds } from "../fields.ts"

/** The token that admits to an appointment's meeting room (Rule 5.2.1). */
export const JoinToken = Schema.Struct({
  room_name: described(Schema.String, "Name of the video room"),
  token: described(Schema.String, "JWT for `{meetings_url}/meeting/{room_name}?jwt={token}`"),
  expires_at: described(UnixSeconds, "Real time, also where domain time was moved")
}).annotations({ identifier: "JoinToken" })
