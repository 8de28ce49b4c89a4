/**
 * Statements of @effect/sql that take a third of its steps where nothing is traced: the library makes a span and a scope for each
 * statement, which together cost more than sending it.
 */
import { SqlClient, type SqlError, Statement } from "@effect/sql"
import type { Connection } from "@effect/sql/SqlConnection"
import { Context, Effect, Effectable, FiberRef, Option } from "effect"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

type Execute = "execute" | "executeRaw" | "executeValues"

/** The library's client with such statements; `single` runs them outside of transactions. */
export const lightly = (sql: SqlClient.SqlClient, single: Connection): SqlClient.SqlClient => {
  class Light<A> extends Effectable.Class<ReadonlyArray<A>, SqlError.SqlError> implements Statement.Statement<A> {
    constructor(private readonly whole: Statement.Statement<A>) {
      super()
    }

    get [Statement.FragmentId]() {
      return this.whole[Statement.FragmentId]
    }
    get segments() {
      return this.whole.segments
    }
    get stream() {
      return this.whole.stream
    }
    get unprepared() {
      return this.whole.unprepared
    }
    get withoutTransform() {
      return this.whole.withoutTransform
    }
    get raw() {
      return this.sent<unknown>("executeRaw", () => this.whole.raw)
    }
    get values() {
      return this.sent<ReadonlyArray<ReadonlyArray<unknown>>>("executeValues", () => this.whole.values)
    }
    compile(withoutTransform?: boolean) {
      return this.whole.compile(withoutTransform)
    }
    override commit() {
      return this.sent<ReadonlyArray<A>>("execute", () => this.whole)
    }

    private sent<X>(execute: Execute, traced: () => Result<X>): Result<X> {
      return Effect.withFiberRuntime((fiber) => {
        if (fiber.getFiberRef(FiberRef.currentTracerEnabled)) return traced()
        const [connection] = Option.getOrElse(
          Context.getOption(fiber.getFiberRef(FiberRef.currentContext), SqlClient.TransactionConnection),
          () => [single] as const
        )
        const [text, values] = this.whole.compile()
        return connection[execute](text, values, undefined) as Result<X> // the cast: rows are of the type that the caller names
      })
    }
  }

  const made = (strings: TemplateStringsArray | string, ...values: ReadonlyArray<unknown>) =>
    typeof strings === "string" ? sql(strings) : new Light(sql(strings, ...values))
  const unsafe = (text: string, values?: ReadonlyArray<unknown>) => new Light(sql.unsafe(text, values))
  return Object.assign(made, sql, { unsafe }) as SqlClient.SqlClient // the cast: a function has no type parameters here
}
