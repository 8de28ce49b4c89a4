/** Commands, as they are declared. */
import { Args, Command, Options } from "@effect/cli"
import { Array, Console, Effect, Record, Schema } from "effect"
import type { AddedCommand, GivenOptions } from "../declarations.ts"
import { withServices } from "./services.ts"

const optionsOf = (options: GivenOptions) =>
  Record.map(options, ({ description, schema, isOptional, isFlag, isRepeated }, name) => {
    if (isFlag) return Options.boolean(name).pipe(Options.withDescription(description), Options.withSchema(schema))
    const text = Options.text(name).pipe(Options.withDescription(description))
    if (isRepeated) return Options.repeated(text).pipe(Options.withSchema(Schema.mutable(Schema.Array(schema))))
    const option = Options.withSchema(text, schema)
    return isOptional ? Options.withDefault(option, undefined) : option
  })

/** An argument may be left out where its schema takes undefined. */
const argumentOf = (schema: AddedCommand["args"][string], name: string) => {
  const text = Args.withSchema(Args.text({ name }), schema)
  return Schema.is(schema)(undefined) ? Args.withDefault(text, undefined) : text
}

const printed = <E, R>(command: Effect.Effect<unknown, E, R>) =>
  Effect.flatMap(command, (said) => (typeof said === "string" ? Console.log(said) : Effect.void))

const runnable = ({ name, args, options, run, offline }: AddedCommand) =>
  Command.make(name, { ...Record.map(args, argumentOf), ...optionsOf(options) }, (given) => {
    const said = offline(given)
    return said === undefined ? withServices(printed(run(given))) : printed(said)
  })

type Runnable = ReturnType<typeof runnable>

export const commandOf = (command: AddedCommand): Runnable => {
  const { name, description, below } = command
  const made = Array.isNonEmptyReadonlyArray(below)
    ? Command.withSubcommands(Command.make(name), Array.map(below, commandOf))
    : runnable(command)
  // The cast: a command is run, and its value is not read
  return Command.withDescription(made as unknown as Runnable, description)
}
