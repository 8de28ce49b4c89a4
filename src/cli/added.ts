/** Commands, as they are declared. */
import { Args, Command, Options } from "@effect/cli"
import { Array, Console, Effect, Option, Record, Schema, SchemaAST } from "effect"
import type { AddedCommand, GivenOptions } from "../declarations.ts"
import { withServices } from "./services.ts"

/** The words of an enumeration: help lists them. */
const choicesOf = ({ ast }: Schema.Schema.AnyNoContext): ReadonlyArray<string> => {
  const types = SchemaAST.isUnion(ast) ? ast.types : [ast]
  const words = types.flatMap((type) => (SchemaAST.isLiteral(type) ? String(type.literal) : []))
  return words.length === types.length ? words : []
}

/** An argument may be left out where its schema takes undefined. */
const argumentOf = (schema: Schema.Schema.AnyNoContext, name: string) => {
  const choices = choicesOf(schema)
  const argument = Array.isNonEmptyReadonlyArray(choices)
    ? Args.choice(
        Array.map(choices, (word) => [word, word] as const),
        { name }
      )
    : Args.text({ name })
  const described = Args.withDescription(
    argument,
    Option.getOrElse(SchemaAST.getDescriptionAnnotation(schema.ast), () => "")
  )
  const given = Args.withSchema(described, schema)
  return Schema.is(schema)(undefined) ? Args.withDefault(given, undefined) : given
}

const optionsOf = (options: GivenOptions) =>
  Record.map(options, ({ description, schema, isOptional, isFlag, isRepeated }, name) => {
    if (isFlag) return Options.boolean(name).pipe(Options.withDescription(description), Options.withSchema(schema))
    const choices = choicesOf(schema)
    const given = choices.length === 0 ? Options.text(name) : Options.choice(name, choices)
    const text = Options.withDescription(given, description)
    if (isRepeated) return Options.repeated(text).pipe(Options.withSchema(Schema.mutable(Schema.Array(schema))))
    const option = Options.withSchema(text, schema)
    return isOptional ? Options.withDefault(option, undefined) : option
  })

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
