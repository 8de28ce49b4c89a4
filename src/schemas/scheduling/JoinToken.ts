import { Schema } from "effect"
import { UnixSeconds } from "../fields.ts"

/** The token that admits to an appointment's meeting room (Rule 5.2.1). */
export const JoinToken = Schema.Struct({
  room_name: Schema.String.annotations({ description: "Name of the video room" }),
  token: Schema.String.annotations({ description: "JWT for `{meetings_url}/meeting/{room_name}?jwt={token}`" }),
  expires_at: UnixSeconds.annotations({ description: "Real time, also where the sandbox clock was moved" })
}).annotations({ identifier: "JoinToken" })
