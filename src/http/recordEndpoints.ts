/** The endpoints that most kinds of records have, with the headers, statuses and errors that belong to each method. */
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "@effect/platform"
import type { Schema } from "effect"
import { Invalid, PreconditionFailed } from "../schemas/problems.ts"
import { IfMatch } from "./conditional.ts"
import { UsesKey } from "./idempotent.ts"
import { type ErrorClass, problem } from "./problems.ts"

type Path = `/${string}`

/** Endpoints of the records at `path`, whose last segment is the record's uid; the list is at the path without it. */
export const recordEndpoints = <P extends Schema.Schema.Any, A extends Schema.Schema.Any, N extends ErrorClass>(
  path: Path,
  uids: P & HttpApiEndpoint.HttpApiEndpoint.ValidatePath<P>,
  record: A,
  notFound: N
) => {
  const collection: Path = `/${path.split("/").slice(1, -1).join("/")}`

  const list = <
    const Name extends string,
    Q extends Schema.Schema.Any,
    L extends Schema.Schema.Any,
    const E extends ReadonlyArray<ErrorClass>
  >(
    name: Name,
    summary: string,
    query: Q & HttpApiEndpoint.HttpApiEndpoint.ValidateUrlParams<Q>,
    records: L,
    ...errors: E
  ) =>
    HttpApiEndpoint.get(name, collection)
      .setUrlParams<Q>(query)
      .addSuccess(records)
      .addError(problem(Invalid, ...errors))
      .annotate(OpenApi.Summary, summary)

  const create = <const Name extends string, B extends Schema.Schema.Any, const E extends ReadonlyArray<ErrorClass>>(
    name: Name,
    summary: string,
    body: B,
    ...errors: E
  ) =>
    HttpApiEndpoint.post(name, collection)
      .annotate(UsesKey, "transaction")
      .setPayload(body)
      .addSuccess(record, { status: 201 })
      .addError(problem(Invalid, ...errors))
      .annotate(OpenApi.Summary, summary)

  const read = <const Name extends string, const E extends ReadonlyArray<ErrorClass>>(
    name: Name,
    summary: string,
    ...errors: E
  ) =>
    HttpApiEndpoint.get(name, path)
      .setPath<P>(uids)
      .addSuccess(record)
      .addError(problem(notFound, ...errors))
      .annotate(OpenApi.Summary, summary)

  const update = <const Name extends string, B extends Schema.Schema.Any, const E extends ReadonlyArray<ErrorClass>>(
    name: Name,
    summary: string,
    changes: B,
    ...errors: E
  ) =>
    HttpApiEndpoint.patch(name, path)
      .setPath<P>(uids)
      .setHeaders(IfMatch)
      .setPayload(changes)
      .addSuccess(record)
      .addError(problem(PreconditionFailed, Invalid, notFound, ...errors))
      .annotate(OpenApi.Summary, summary)

  const remove = <const Name extends string, const E extends ReadonlyArray<ErrorClass>>(
    name: Name,
    summary: string,
    ...errors: E
  ) =>
    HttpApiEndpoint.del(name, path)
      .setPath<P>(uids)
      .setHeaders(IfMatch)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(problem(PreconditionFailed, notFound, ...errors))
      .annotate(OpenApi.Summary, summary)

  /** A POST below one record, at the endpoint's name. */
  const act = <const Name extends string, S extends Schema.Schema.Any, const E extends ReadonlyArray<ErrorClass>>(
    name: Name,
    summary: string,
    success: S,
    ...errors: E
  ) =>
    HttpApiEndpoint.post(name, `${path}/${name.replaceAll("_", "-")}`)
      .setPath<P>(uids)
      .addSuccess(success)
      .addError(problem(notFound, ...errors))
      .annotate(OpenApi.Summary, summary)

  return { list, create, read, update, remove, act } as const
}
