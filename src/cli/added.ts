/** Commands of capabilities. */
import { Args, Command, Options } from "@effect/cli"
import { Console, Effect, Record } from "effect"
import type { AddedCommand } from "../declarations.ts"
import { withServices } from "./services.ts"

export const commandOf = ({ name, description, args, options, run }: AddedCommand) =>
  Command.make(
    name,
    {
      ...Record.map(args, (schema, name) => Args.text({ name }).pipe(Args.withSchema(schema))),
      ...Record.map(options, ({ description, schema }, name) =>
        Options.text(name).pipe(Options.withDescription(description), Options.withSchema(schema))
      )
    },
    (given) => withServices(Effect.flatMap(run(given), Console.log))
  ).pipe(Command.withDescription(description))
