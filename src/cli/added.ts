/** Commands of capabilities. */
import { Args, Command, Options } from "@effect/cli"
import { Console, Effect, Option, Record } from "effect"
import type { AddedCommand } from "../declarations.ts"
import { withServices } from "./services.ts"

export const commandOf = ({ name, description, args, options, run }: AddedCommand) =>
  Command.make(
    name,
    {
      ...Record.map(args, (schema, name) => Args.text({ name }).pipe(Args.withSchema(schema))),
      ...Record.map(options, ({ description, schema, kind }, name) => {
        const given: Options.Options<string | boolean | undefined> =
          kind === "flag"
            ? Options.boolean(name)
            : kind === "optional"
              ? Options.map(Options.optional(Options.text(name)), Option.getOrUndefined)
              : Options.text(name)
        return given.pipe(Options.withDescription(description), Options.withSchema(schema))
      })
    },
    (given) => withServices(Effect.flatMap(run(given), Console.log))
  ).pipe(Command.withDescription(description))
