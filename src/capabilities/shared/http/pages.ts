/** What pages of staff are made of, and those that capabilities add. */
import type { HttpServerResponse } from "@effect/platform"
import { Effect, type Schema } from "effect"
import type { ComponentChild } from "preact"
import { Capabilities } from "../../../declarations.ts"
import type { InRequest } from "../../../http/inRequest.ts"
import type { PracticeRole } from "../../../schemas/access/PracticeRole.ts"
import type { StaffMember } from "../../../schemas/access/StaffMember.ts"
import type { Language } from "../../../texts/language.ts"
import type { AddedCards, AddedNames, NamedPeriod } from "../pages/added.ts"
import type { CalendarSubject } from "../schemas/Calendar.ts"
import type { Client, ClientOf, InProcessApi } from "./InProcessApi.ts"

/** A page's content, made by its workspace. */
export interface StaffPageContent {
  readonly title: string
  readonly body: ComponentChild
  readonly status?: number
  /** Path of the page that is shown instead. Default none. */
  readonly to?: string
  /** IANA zone of the page's times. Default Europe/Berlin. */
  readonly zone?: string
  /** What waits on other pages, by their paths, for the navigation. Default nothing. */
  readonly counts?: Readonly<Record<string, number>>
  /** Whether the page reloads on changes. Default true. */
  readonly live?: boolean
  /** Whether the CSP allows PDFs in the page. Default false. */
  readonly documents?: boolean
  /** Origin of the call that the page has in a frame; then it is without the head of the others. Default none. */
  readonly call?: string
}

/** The arguments of a page. */
export interface Visitor {
  readonly staff: StaffMember
  readonly language: Language
  readonly query: URLSearchParams
  /** Path and query of the page. */
  readonly address: string
  readonly api: Client
  /** The typed client of a capability's API. */
  readonly clientOf: ClientOf
  /** People of the practice, removed ones included. `subject`: as an actor in the audit log; null until they sign in. */
  readonly people: Effect.Effect<
    ReadonlyArray<{ readonly uid: string; readonly subject: string | null; readonly display_name: string }>,
    unknown,
    InRequest
  >
  /** BASE_URL: the origin of the interface. */
  readonly baseUrl: string
  readonly now: number
}

/** An entry of the workspace's navigation; `under` is the page whose group it belongs to. */
export type PageEntry = readonly [path: string, text: string, under?: string]

/** A page of the practice's workspace that a capability adds. */
export interface AddedPage {
  /** Below the pages of the practice; a pattern of the router. */
  readonly path: string
  /** Its entry in the navigation, and the page that this belongs to; without it the page is reached from others. */
  readonly entry?: {
    readonly text: (language: Language) => string
    readonly under?: string
    /** What waits there for somebody, beside the text where it is more than 0. Default: nothing is counted. */
    readonly count?: (visitor: Visitor) => Effect.Effect<number, unknown, InRequest>
  }
  /** Roles that lack a right which it needs. */
  readonly hiddenFrom: ReadonlyArray<PracticeRole>
  readonly show: (visitor: Visitor) => Effect.Effect<StaffPageContent, unknown, InRequest>
}

export interface OperatorVisitor extends Visitor {
  /** Organisations and pharmacies, at most `limit`: those with these uids, or with this part of a name. */
  readonly owners: (
    by: { readonly uids: string } | { readonly search: string },
    limit: number
  ) => Effect.Effect<ReadonlyArray<{ readonly uid: string; readonly name: string }>, unknown, InRequest>
  /** People, doctors and keys of an organisation, by the kinds of actors; nobody of another owner. */
  readonly membersOf: (owner: string) => Effect.Effect<ReadonlyArray<NamedMember>, unknown, InRequest>
}

interface NamedMember {
  readonly kind: string
  readonly uid: string
  /** The identifier as an actor, where it is another. */
  readonly subject: string | null
  readonly name: string
}

/** A page of the operator's workspace that a capability adds, with its entry in the navigation. */
export interface AddedOperatorPage extends Pick<AddedPage, "path"> {
  readonly text: (language: Language) => string
  readonly show: (visitor: OperatorVisitor) => Effect.Effect<StaffPageContent, unknown, InRequest>
}

/** Answers with a file; `send` asks the interface as the visitor. */
export type AddedFile = (
  send: InProcessApi["send"]
) => Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, InRequest>

type Answered = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, InRequest>

/** A form that answers with a file, or with a page about what was done, instead of leading back. */
export interface AddedForm {
  /** Path of the operation, which is called by POST. `fields`: what was entered, by name. */
  readonly operation: (fields: ReadonlyMap<string, ReadonlyArray<string>>) => Effect.Effect<string, never, InRequest>
  /** The operation's body, which is read from the fields. */
  readonly body: Schema.Schema.AnyNoContext
  /** Path of the page with the form, which shows a refusal. */
  readonly page: Effect.Effect<string, never, InRequest>
  /** What the browser gets after the operation's answer: a file, or what `shown` makes of a page. */
  readonly answered: (
    response: HttpServerResponse.HttpServerResponse,
    shown: (make: (visitor: Visitor) => StaffPageContent) => Answered
  ) => Answered
}

/** A field of a form in a format of a capability: `items.0.options@lines.de` is `items.0.options`, of `de`. */
interface EnteredField {
  readonly name: string
  readonly of: string
  readonly values: ReadonlyArray<string>
  /** All of the form. */
  readonly fields: ReadonlyMap<string, ReadonlyArray<string>>
}
/** What fields in a capability's formats are to the interface, by the name of the format. */
export type AddedUnits = Readonly<
  Record<string, (field: EnteredField) => ReadonlyArray<readonly [name: string, values: ReadonlyArray<string>]>>
>

/** What a capability adds to the pages of staff. */
export interface StaffPages {
  /** What it shows in the column of a doctor or a resource in the practice's calendar. */
  readonly inCalendar: (subject: CalendarSubject, language: Language) => ReadonlyArray<NamedPeriod>
  /** Pages of the practice. */
  readonly pages: ReadonlyArray<AddedPage>
  readonly operatorPages: ReadonlyArray<AddedOperatorPage>
  /** Files of the practice, by their path below its pages. */
  readonly files: Readonly<Record<string, AddedFile>>
  /** Forms of its pages of the practice, by the path below these that receives them. */
  readonly forms: Readonly<Record<string, AddedForm>>
  readonly units: AddedUnits
  /** What is at the end of other pages of the practice, or of a doctor (`doctor/…`), by their path, and reads for itself. */
  readonly below: Readonly<Record<string, (visitor: Visitor) => Effect.Effect<ComponentChild, unknown, InRequest>>>
  /** Cards on other pages. */
  readonly cards: AddedCards
  /** What staff call its records and operations. */
  readonly names: (language: Language) => AddedNames
}

declare module "../../../declarations.ts" {
  interface AddedParts {
    /** What a capability adds to the pages of staff. */
    readonly staffPages: Partial<StaffPages>
  }
}

const nothing: StaffPages = {
  inCalendar: () => [],
  pages: [],
  operatorPages: [],
  files: {},
  forms: {},
  units: {},
  below: {},
  cards: {},
  names: () => ({ records: {}, actions: {} })
}

/** Those of the capabilities that are on. */
export const addedStaffPages = Effect.map(Capabilities, ({ on }) =>
  on.map(({ staffPages }): StaffPages => ({ ...nothing, ...staffPages }))
)
