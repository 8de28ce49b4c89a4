/** The command that makes the first owner of a practice, and operators. */
import { Data, Effect, Layer, Schema } from "effect"
import { Settings } from "../../../config.ts"
import { addedCommand, commandGroup } from "../../../declarations.ts"
import { PracticeRole } from "../../../schemas/access/PracticeRole.ts"
import { MailAddress } from "../../../schemas/fields.ts"
import { OrganisationUid } from "../../../schemas/ids.ts"
import { Operators } from "./staff/Operators.ts"
import { StaffPeople } from "./staff/StaffPeople.ts"

class WhomUnclear extends Data.TaggedError("WhomUnclear") {
  override get message() {
    return "Say for whom: --organisation with --role, or --operator"
  }
}

const invite = addedCommand({
  name: "invite",
  description: "Print a link by which a person signs in for the first time; valid for seven days and once",
  options: {
    email: { description: "Mail address by which the person signs in", schema: MailAddress },
    operator: { description: "Invite an operator of the installation", schema: Schema.Boolean, isFlag: true },
    organisation: { description: "The practice", schema: OrganisationUid, isOptional: true },
    role: { description: "The role in the practice", schema: PracticeRole, isOptional: true },
    name: {
      description: "Name of the person. Default: the address",
      schema: Schema.String,
      isOptional: true
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
    }).pipe(Effect.provide(Layer.merge(Operators.Default, StaffPeople.Default)))
})

export const staffCommand = commandGroup({ name: "staff", description: "People who work here", below: [invite] })
