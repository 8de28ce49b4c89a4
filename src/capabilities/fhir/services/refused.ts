/** A FHIR request that is refused, as an OperationOutcome says it. */
import { Data } from "effect"

export type IssueCode =
  | "structure"
  | "required"
  | "value"
  | "invalid"
  | "not-supported"
  | "not-found"
  | "deleted"
  | "forbidden"
  | "login"
  | "business-rule"
  | "conflict"
  | "processing"
  | "throttled"
  | "transient"
  | "exception"
  | "too-long"

export interface Issue {
  readonly code: IssueCode
  readonly text: string
  /** FHIRPath of the element, or the name of the parameter. */
  readonly at?: string | undefined
}

export class FhirRefused extends Data.TaggedError("FhirRefused")<{
  readonly status: 400 | 401 | 403 | 404 | 405 | 406 | 409 | 410 | 412 | 415 | 422
  readonly issues: ReadonlyArray<Issue>
  readonly headers?: Readonly<Record<string, string>>
}> {
  override get message() {
    return this.issues.map(({ text }) => text).join("; ")
  }
}

export const refuse = (status: FhirRefused["status"], code: IssueCode, text: string, at?: string) =>
  new FhirRefused({ status, issues: [{ code, text, at }] })

/** A parameter of a search that cannot be used. */
export const badParameter = (name: string, text: string, code: IssueCode = "value") =>
  refuse(400, code, `${name}: ${text}`, name)

export const notFound = (type: string, id: string) => refuse(404, "not-found", `No ${type} has the id ${id}`)
