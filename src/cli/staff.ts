import { Command, Options } from "@effect/cli"
import { Console, Data, Effect, Option } from "effect"
import { practiceRoles } from "../schemas/access/PracticeRole.ts"
import { MailAddress } from "../schemas/fields.ts"
import { OrganisationUid } from "../schemas/ids.ts"
import { Operators } from "../services/access/Operators.ts"
import { StaffPeople } from "../services/access/StaffPeople.ts"
import { withServices } from "./services.ts"

class WhomUnclear extends Data.TaggedError("WhomUnclear") {
  override get message() {
    return "Say for whom: --organisation with --role, or --operator"
  }
}

const flags = {
  email: Options.text("email").pipe(
    Options.withSchema(MailAddress),
    Options.withDescription("Mail address by which the person signs in")
  ),
  operator: Options.boolean("operator").pipe(Options.withDescription("Invite an operator of the installation")),
  organisation: Options.text("organisation").pipe(
    Options.withSchema(OrganisationUid),
    Options.withDescription("The practice"),
    Options.optional
  ),
  role: Options.choice("role", practiceRoles).pipe(
    Options.withDescription("The role in the practice"),
    Options.optional
  ),
  name: Options.text("name").pipe(Options.withDescription("Name of the person. Default: the address"), Options.optional)
}

const invite = Command.make("invite", flags, ({ email, operator, organisation, role, name }) =>
  withServices(
    Effect.gen(function* () {
      if (operator) return yield* Console.log(yield* (yield* Operators).invite(email))
      if (Option.isNone(organisation) || Option.isNone(role)) return yield* new WhomUnclear()
      const display_name = Option.getOrElse(name, () => email)
      const { invitation_url } = yield* (yield* StaffPeople).link(organisation.value, {
        ...{ display_name, email, role: role.value }
      })
      yield* Console.log(invitation_url)
    })
  )
).pipe(
  Command.withDescription("Print a link by which a person signs in for the first time; valid for seven days and once")
)

export const staffCommand = Command.make("staff").pipe(
  Command.withDescription("People who work here"),
  Command.withSubcommands([invite])
)
