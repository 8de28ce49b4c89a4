/**
 * Statements that travel to the database together, in one round trip: what prepares the way, the statement itself, and COMMIT. In the
 * extended protocol everything before one Sync is one transaction, so that settings for the transaction hold for the statement without
 * BEGIN too. A flight is a query of our own, the driver's extension point for that (https://node-postgres.com/apis/client#clientquery).
 */
import type { Connection, Query, Submittable } from "pg"

/** A statement of a flight other than the main one. */
export interface Step {
  /** Its name if it is prepared on the connection already, or by this flight. */
  readonly name: string | undefined
  readonly prepares: boolean
  readonly text: string
  readonly values: Array<string>
}

/** What the driver calls on every query that it was given. */
export interface DriverQuery extends Submittable {
  readonly handleRowDescription: (message: unknown) => void
  readonly handleDataRow: (message: { readonly fields: ReadonlyArray<unknown> }) => void
  readonly handlePortalSuspended: (connection: Connection) => void
  readonly handleEmptyQuery: (connection: Connection) => void
  readonly handleCommandComplete: (message: unknown, connection: Connection) => void
  readonly handleReadyForQuery: (connection: Connection) => void
  readonly handleCopyInResponse: (connection: Connection) => void
  readonly handleCopyData: (message: unknown, connection: Connection) => void
  readonly handleError: (error: Error, connection: Connection) => void
}

export interface Watched {
  /** Something has arrived from the database. */
  readonly arrived: () => void
  readonly failed: (error: unknown) => void
}

const send = (connection: Connection, { name = "", text, values, prepares }: Step) => {
  if (name === "" || prepares) connection.parse({ name, text, types: [] }, true)
  connection.bind({ portal: "", statement: name, values } as never, true) // the types of 2013 name other fields
  connection.execute({} as never, true)
}

export class Flight implements DriverQuery {
  readonly name: string | undefined
  readonly text: string
  readonly values: ReadonlyArray<unknown>
  /** Whether a transaction begins with it that later statements continue. */
  readonly begins: boolean
  /** Whether it commits what earlier statements began. */
  readonly commits: boolean
  /** Responses that come before the statement's. */
  private pending: number
  /** Whether the statement is complete: a later response is COMMIT's. */
  private isComplete = false

  constructor(
    private readonly main: Query & DriverQuery & { readonly name: string | undefined; readonly text: string },
    values: ReadonlyArray<unknown>,
    readonly before: ReadonlyArray<Step>,
    private readonly commit: Step | undefined,
    private readonly watched: Watched & { readonly row: (step: number, fields: ReadonlyArray<unknown>) => void }
  ) {
    this.name = main.name
    this.text = main.text
    this.values = values
    this.pending = before.length
    const isBegun = before.some(({ text }) => text === "BEGIN")
    this.begins = commit === undefined && isBegun
    this.commits = commit !== undefined && !isBegun
  }

  submit = (connection: Connection) => {
    const { commit } = this
    connection.stream.cork()
    try {
      for (const step of this.before) send(connection, step)
      if (commit === undefined) return this.main.submit(connection)
      // The same connection, on which COMMIT comes before the statement's Sync
      const joined: Connection = Object.create(connection, {
        sync: {
          value: () => {
            send(connection, commit)
            connection.sync()
          }
        }
      })
      return this.main.submit(joined)
    } finally {
      connection.stream.uncork()
    }
  }

  handleRowDescription = (message: unknown) => this.main.handleRowDescription(message)
  handleDataRow = (message: { readonly fields: ReadonlyArray<unknown> }) => {
    this.watched.arrived()
    if (this.pending === 0) return this.main.handleDataRow(message)
    this.watched.row(this.before.length - this.pending, message.fields)
  }
  handleCommandComplete = (message: unknown, connection: Connection) => {
    this.watched.arrived()
    if (this.pending > 0) this.pending--
    else if (!this.isComplete) {
      this.isComplete = true
      this.main.handleCommandComplete(message, connection)
    }
  }
  handlePortalSuspended = (connection: Connection) => this.main.handlePortalSuspended(connection)
  handleEmptyQuery = (connection: Connection) => this.main.handleEmptyQuery(connection)
  handleCopyInResponse = (connection: Connection) => this.main.handleCopyInResponse(connection)
  handleCopyData = (message: unknown, connection: Connection) => this.main.handleCopyData(message, connection)
  handleReadyForQuery = (connection: Connection) => this.main.handleReadyForQuery(connection)
  handleError = (error: Error, connection: Connection) => {
    this.watched.failed(error)
    this.main.handleError(error, connection)
  }
}

/** Prepares statements on a new connection. */
export class Preparing implements DriverQuery {
  constructor(
    private readonly steps: ReadonlyArray<{ readonly name: string; readonly text: string }>,
    private readonly answered: (error?: Error) => void
  ) {}

  submit = (connection: Connection) => {
    connection.stream.cork()
    for (const { name, text } of this.steps) connection.parse({ name, text, types: [] }, true)
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription = () => {}
  handleDataRow = () => {}
  handlePortalSuspended = () => {}
  handleEmptyQuery = () => {}
  handleCommandComplete = () => {}
  handleReadyForQuery = () => this.answered()
  handleCopyInResponse = () => {}
  handleCopyData = () => {}
  handleError = (error: Error) => this.answered(error)
}
