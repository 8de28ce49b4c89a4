/** The command that makes the first owner of a practice, and operators. */
import { Data, Effect, Schema } from "effect"
import { Settings } from "../../../config.ts"
import { addedCommand } from "../../../declarations.ts"
import { PracticeRole } from "../../../schemas/access/PracticeRole.ts"
import { MailAddress } from "../../../schemas/fields.ts"
import { OrganisationUid } from "../../../schemas/ids.ts"
import { Operators } from "../../../services/access/Operators.ts"
import { StaffPeople } from "../../../services/access/StaffPeople.ts"

class WhomUnclear extends Data.TaggedError("WhomUnclear") {
  override get message() {
    return "Say for whom: --organisation with --role, or --operator"
  }
}

export const inviteCommand = addedCommand({
  group: "staff",
  name: "invite",
  description: "Print a link by which a person signs in for the first time; valid for seven days and once",
  options: {
    email: { description: "Mail address by which the person signs in", schema: MailAddress },
    operator: { description: "Invite an operator of the installation", schema: Schema.Boolean, kind: "flag" },
    organisation: { description: "The practice", schema: Schema.UndefinedOr(OrganisationUid), kind: "optional" },
    role: { description: "The role in the practice", schema: Schema.UndefinedOr(PracticeRole), kind: "optional" },
    name: {
      description: "Name of the person. Default: the address",
      schema: Schema.UndefinedOr(Schema.String),
      kind: "optional"
    }
  },
  run: ({ email, operator, organisation, role, name = email }) =>
    Effect.gen(function* () {
      const { baseUrl } = yield* Settings
      const link = (code: string) => `${baseUrl}/console/invitation/${code}`
      if (operator) return link(yield* (yield* Operators).invite(email))
      if (organisation === undefined || role === undefined) return yield* new WhomUnclear()
      const { invited } = yield* (yield* StaffPeople).ensure(organisation, { display_name: name, email, role })
      return link(invited.code)
    })
})
