/** Commands of capabilities. */
import { Args, Command, Options } from "@effect/cli"
import { Array, Console, Effect, Record } from "effect"
import type { AddedCommand, GivenOptions } from "../declarations.ts"
import { withServices } from "./services.ts"

const optionsOf = (options: GivenOptions) =>
  Record.map(options, ({ description, schema, isOptional, isFlag }, name) => {
    if (isFlag) return Options.boolean(name).pipe(Options.withDescription(description), Options.withSchema(schema))
    const option = Options.text(name).pipe(Options.withDescription(description), Options.withSchema(schema))
    return isOptional ? Options.withDefault(option, undefined) : option
  })

const runnable = ({ name, args, options, run }: AddedCommand) =>
  Command.make(
    name,
    { ...Record.map(args, (schema, name) => Args.text({ name }).pipe(Args.withSchema(schema))), ...optionsOf(options) },
    (given) =>
      withServices(Effect.flatMap(run(given), (said) => (typeof said === "string" ? Console.log(said) : Effect.void)))
  )

type Runnable = ReturnType<typeof runnable>

export const commandOf = (command: AddedCommand): Runnable => {
  const { name, description, below } = command
  const made = Array.isNonEmptyReadonlyArray(below)
    ? Command.withSubcommands(Command.make(name), Array.map(below, commandOf))
    : runnable(command)
  // The cast: a command is run, and its value is not read
  return Command.withDescription(made as unknown as Runnable, description)
}
