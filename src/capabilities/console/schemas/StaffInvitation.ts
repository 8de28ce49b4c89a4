import { Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { StaffPersonUid } from "../../../schemas/ids.ts"

export const StaffInvitation = Schema.Struct({
  uid: StaffPersonUid,
  invitation_url: Schema.String.annotations({
    description: "Link for the person, valid for seven days and once; it is not shown again",
    examples: ["https://sprechstunde.example/console/invitation/inv_0123456789ab…"]
  }),
  invitation_expires_at: UnixSeconds
}).annotations({ identifier: "StaffInvitation" })
export type StaffInvitation = typeof StaffInvitation.Type
