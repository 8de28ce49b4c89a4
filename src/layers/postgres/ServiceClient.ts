/**
 * The driver's client, whose statements run in the tenancy of the fiber that sends them:
 * - the tenancy's settings, local to the transaction, travel with each statement outside of a transaction, and within one with the first
 *   statement and whenever they change, with the mode of planning (`GenericPlan`), which a transaction keeps. So it works with PgBouncer in transaction mode, and no tenant remains on a connection;
 * - BEGIN travels with the first statement of its transaction, so that one without statements sends nothing, and COMMIT with the last
 *   one where that is known (`lastly`);
 * - repeated statements are prepared, so that PostgreSQL parses and plans them once per connection;
 * - a connection without a response for longer than any statement may take is closed, since its host may be gone.
 */
import { Predicate } from "effect"
import { Client, type ClientConfig, type types as pgTypes, Query, type QueryConfig } from "pg"
import { DISK_FULL } from "../../services/database/SqlErrors.ts"
import type { TopologyOf } from "../../services/database/Topology.ts"
import { countDatabaseFailure } from "../../services/metrics.ts"
import { type DriverQuery, Flight, Preparing, type Step } from "./Flight.ts"
import { commitsWithFiber, isGenericInFiber, settingsOf, tenancyOfFiber, valuesOf } from "./tenantSettings.ts"

export interface ServiceClientOptions {
  /** Whether statements are prepared. False for PgBouncer below 1.21 in transaction mode, which loses them. */
  readonly prepareStatements: boolean
  /** Milliseconds without a byte from the database during a statement; must exceed `statement_timeout`. */
  readonly silenceMillis: number
  readonly topology: TopologyOf
  /** The name of a statement that is to be prepared. */
  readonly nameOf: (text: string) => string | undefined
  /** Called when a statement failed because the database's disk is full. */
  readonly diskFull: () => void
}

/** Time-out of establishing a connection, shorter than the pool's queue. */
const CONNECT_TIMEOUT_MILLIS = 5_000

/** SQLSTATE read_only_sql_transaction: the former primary has become a standby. */
const READ_ONLY = "25006"

type Answered = (error?: Error | null, result?: unknown) => void

/** Answer to transaction control that sent nothing. */
const NOTHING = { rows: [], rowCount: 0, fields: [] }

const BEGIN = { name: "begin", text: "BEGIN" }
const COMMIT = { name: "commit", text: "COMMIT" }
const ROLLBACK = "ROLLBACK"
/** The transaction's id, by which its outcome can be asked for when the answer to COMMIT is lost. */
const TRANSACTION = { name: "transaction", text: "SELECT pg_current_xact_id()::text AS id" }

/** Transaction control, which needs no tenancy. */
const isControl = (text: string) => /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/i.test(text)

/** The client of a pool with these options. */
export const serviceClient = (options: ServiceClientOptions) => {
  const { isSingle } = options.topology
  const settings = settingsOf(options.topology)
  const prepared = [settings.given, BEGIN, COMMIT, TRANSACTION]
  const stepOf = (
    { name, text }: { readonly name: string; readonly text: string },
    values: Array<string> = [],
    prepares = false
  ): Step => ({
    name: options.prepareStatements ? name : undefined,
    text,
    values,
    prepares
  })

  /** Looks at all connections in turn by one timer: a timer for each would wake an idle process several times a second. */
  const watched = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  const watch = (look: () => void) => {
    watched.add(look)
    timer ??= setInterval(() => {
      for (const each of watched) each()
    }, options.silenceMillis / 4).unref()
    return () => {
      watched.delete(look)
      if (watched.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }

  return class ServiceClient extends Client {
    /** Whether a transaction has begun of which nothing has been sent. */
    private begins = false
    private transaction: string | undefined
    /** The tenancy last set in the open transaction. */
    private applied = ""
    /** Whether a statement of the open transaction ran by the generic plan: those after it do too, which saves setting the mode back. */
    private isGeneric = false
    private isFindingPrepared = false
    private running = 0
    /** Statements of the login role, which runs migrations, may be silent for as long as they like. */
    private isUnlimited = false
    private lastArrived = 0

    constructor(config?: ClientConfig) {
      super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MILLIS })
      const unwatch = watch(() => {
        const isSilent = performance.now() - this.lastArrived > options.silenceMillis
        if (this.running > 0 && !this.isUnlimited && isSilent) this.connection.stream.destroy()
      })
      this.once("end", unwatch)
    }

    /** Prepares what every transaction needs; for a new connection, before its first statement. */
    prepare() {
      if (!options.prepareStatements) return Promise.resolve()
      return new Promise<void>((resolve, reject) => {
        const answered = this.counted((error) => (error ? reject(error) : resolve()))
        super.query(new Preparing(prepared, answered))
      })
    }

    // biome-ignore lint/suspicious/noExplicitAny: the driver's method has nine signatures
    override query(...sent: Array<any>): any {
      const [statement, given, last] = sent
      const text: unknown = typeof statement === "string" ? statement : statement?.text
      if (typeof text !== "string" || Predicate.hasProperty(statement, "submit"))
        return Reflect.apply(super.query, this, sent)
      const answered = typeof given === "function" ? given : last
      if (typeof answered !== "function")
        return new Promise((resolve, reject) =>
          this.query(statement, given, (error: Error | null, result: unknown) =>
            error ? reject(error) : resolve(result)
          )
        )
      const config: QueryConfig = typeof statement === "string" ? { text: statement } : { ...statement }
      if (Array.isArray(given)) config.values = given
      this.send(config, answered)
    }

    private send(config: QueryConfig, answered: Answered) {
      const { text } = config
      const tenancy = tenancyOfFiber()
      const isLogin = tenancy.role === "login"
      const commits = commitsWithFiber()
      this.isUnlimited = isLogin
      if (text === BEGIN.text || text === COMMIT.text || text === ROLLBACK) return this.control(text, isLogin, answered)
      // Statements of the login role outside of other tenancies: by the simple protocol, which allows several in one text
      if (isLogin && this.applied === "" && !this.begins && !commits)
        return super.query(this.named(config), this.counted(answered))
      const status = this.getTransactionStatus()
      const isWithin = this.begins || status === "T"
      const controls = isControl(text)
      const isOwn = !isSingle && !isWithin && status !== "E" && !controls
      const before = this.begins || isOwn ? [stepOf(BEGIN)] : []
      if (this.begins) before.push(stepOf(TRANSACTION))
      const isGeneric = isSingle && (isGenericInFiber() || (isWithin && this.isGeneric))
      this.isGeneric = isWithin && isGeneric
      const values = valuesOf(tenancy, isGeneric)
      const wanted = values.join("\n")
      if (!controls && (!isWithin || this.applied !== wanted)) {
        before.push(this.settingOf(tenancy.organisation_by !== null, values))
        this.applied = isWithin ? wanted : ""
      } else if (controls) this.applied = "" // a savepoint's end may have undone the setting
      this.begins = false
      if (commits) this.applied = ""
      this.fly(config, commits ? this.ended(answered) : answered, before, isOwn || commits ? stepOf(COMMIT) : undefined)
    }

    /** Begins and ends transactions. One without statements sends nothing. */
    private control(text: string, isLogin: boolean, answered: Answered) {
      this.applied = ""
      this.isGeneric = false
      if (text === BEGIN.text) {
        this.transaction = undefined
        // Statements of the login role do not fly
        if (isLogin) return this.fly({ text: TRANSACTION.text }, this.begun(answered), [stepOf(BEGIN)], undefined)
        this.begins = true
        return answered(null, NOTHING)
      }
      if (this.begins) {
        this.begins = false
        return answered(null, NOTHING)
      }
      const told: Answered = (error, result) => {
        if (error) this.failed(error)
        answered(error, result)
      }
      // By the simple protocol: one message
      super.query(text, this.counted(text === COMMIT.text ? this.ended(told) : told))
    }

    /** The failure of a COMMIT names its transaction. */
    private ended(answered: Answered): Answered {
      return (error, result) =>
        answered(error ? Object.assign(error, { transaction: this.transaction }) : error, result)
    }

    private begun(answered: Answered): Answered {
      return (error, result) => {
        if (Predicate.hasProperty(result, "rows") && Array.isArray(result.rows)) this.transaction = result.rows[0]?.id
        answered(error, NOTHING)
      }
    }

    private settingOf(isFinding: boolean, values: Array<string>) {
      return isFinding ? stepOf(settings.finding, values, !this.isFindingPrepared) : stepOf(settings.given, values)
    }

    private named(config: QueryConfig): QueryConfig {
      const isNamed = options.prepareStatements && (config.values?.length ?? 0) > 0
      const name = isNamed ? options.nameOf(config.text) : undefined
      return name === undefined ? config : { ...config, name }
    }

    private fly(config: QueryConfig, answered: Answered, before: ReadonlyArray<Step>, commit: Step | undefined) {
      const name = options.prepareStatements ? options.nameOf(config.text) : undefined
      const types = { getTypeParser: this.getTypeParser.bind(this) as typeof pgTypes.getTypeParser }
      const query = new Query(
        { ...config, types, ...(name !== undefined && { name }) },
        config.values ?? [],
        this.counted(commit === undefined ? answered : this.rolledBack(answered))
      )
      // The casts: what the driver's types omit of its own queries
      const main = Object.assign(query, { queryMode: "extended" }) as unknown as ConstructorParameters<typeof Flight>[0]
      super.query(
        new Flight(main, config.values ?? [], before, commit, {
          arrived: this.arrived,
          failed: (error) => this.failed(error),
          row: (step, fields) => {
            const text = before[step]?.text
            if (text === TRANSACTION.text) this.transaction = String(fields[0])
            if (text === settings.finding.text) this.isFindingPrepared = true
          }
        }) satisfies DriverQuery
      )
    }

    private readonly arrived = () => {
      this.lastArrived = performance.now()
    }

    /** Counts the running statement. */
    private counted(answered: Answered): Answered {
      this.running++
      this.arrived()
      let isAnswered = false
      return (error, result) => {
        if (!isAnswered) this.running--
        isAnswered = true
        answered(error, result)
      }
    }

    /** Ends a failed transaction of the client's own before the failure is told, so that nothing else is sent within it. */
    private rolledBack(answered: Answered): Answered {
      return (error, result) =>
        error
          ? super.query(
              ROLLBACK,
              this.counted(() => answered(error))
            )
          : answered(error, result)
    }

    private failed(error: unknown) {
      const code = Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : ""
      if (code !== "") countDatabaseFailure(code)
      if (code === DISK_FULL) options.diskFull()
      if (code === READ_ONLY) setImmediate(() => this.connection.stream.destroy())
    }
  }
}
