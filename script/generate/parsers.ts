/** Writes the table "Parsing foreign bytes" of SECURITY.md from the bounds in the code: `bun script/generate/parsers.ts`. */
import { readFileSync, writeFileSync } from "node:fs"
import { BODY_MAX } from "../../src/capabilities/calendars/layers/reading/CalendarServersLive.ts"
import { ELEMENTS_MAX, LINES_MAX } from "../../src/capabilities/calendars/layers/reading/collection.ts"
import { TIME_MILLIS } from "../../src/capabilities/calendars/layers/reading/expansions.ts"
import { MAX_FIELDS } from "../../src/capabilities/console/http/serving/formFields.ts"
import { PARTS_MAX, MAX_DEPTH as RESOURCE_DEPTH } from "../../src/capabilities/fhir/http/serialise.ts"
import { MAX_BYTES } from "../../src/capabilities/fhir/services/ClientKeySets.ts"
import { HEAD_MAX as FORM_HEAD, PARTS_MAX as FORM_PARTS } from "../../src/capabilities/forms/http/multipart.ts"
import { FILE_MAX } from "../../src/capabilities/forms/schemas/TypeFields.ts"
import { PIXELS_MAX } from "../../src/capabilities/forms/services/pictures.ts"
import { manifests } from "../../src/capabilities/index.ts"
import { ANSWER_MAX } from "../../src/capabilities/shopify/services/graphql.ts"
import { BYTES_MAX } from "../../src/capabilities/signatures/layers/cms.ts"
import { MEMORY_MAX } from "../../src/capabilities/signatures/layers/mupdf.ts"
import { TIME } from "../../src/capabilities/signatures/layers/SignatureExaminerLive.ts"
import { bodiesOf } from "../../src/declarations.ts"
import { acceptedBodies, dataBody } from "../../src/http/admission/bodyLimits.ts"
import { FIELDS_MAX, MAX_DEPTH } from "../../src/http/admission/GuardedRequest.ts"
import { MAX_REST } from "../../src/http/admission/largeJson.ts"
import { endpointsOf } from "../../src/http/endpoints.ts"
import { MESSAGE_MAX } from "../../src/http/server/limitedSockets.ts"
import { IMAGE_MAX_BYTES } from "../../src/schemas/access/Image.ts"
import { BULK_LIMIT } from "../../src/schemas/pharmacy/PharmacySku.ts"
import { PDF_LIMITS } from "../../src/schemas/prescriptions/pdf.ts"
import { Api } from "./wholeApi.ts"

const PAGE = "SECURITY.md"
const [BEGIN, END] = ["<!-- generated: parsers -->\n", "<!-- end: parsers -->"]

const number = (count: number) => count.toLocaleString("en")
const size = (bytes: number) =>
  bytes % (1024 * 1024) === 0
    ? `${bytes / (1024 * 1024)} MiB`
    : bytes % 1024 === 0
      ? `${bytes / 1024} KiB`
      : `${bytes / 1_000_000} MB`
const seconds = (millis: number) => `${millis / 1_000} s`

const accepts = acceptedBodies(Api, bodiesOf(manifests()))
const json = endpointsOf(Api).map(({ endpoint }) => accepts(endpoint.method, endpoint.path))
const largest = (of: "limit" | "values") => Math.max(...json.map((one) => one[of]))
const usual = Math.min(...json.map(({ limit }) => limit))
const page = accepts("POST", "/book/:code")
const consoleForm = accepts("POST", "/console/operator/do")
const fhir = dataBody

/** On the event loop the bounds are so small that the largest input takes less than 100 ms. */
const LOOP = ["by its size", "event loop"] as const

const rows: ReadonlyArray<
  readonly [parser: string, input: string, bytes: string, elements: string, time: string, where: string]
> = [
  [
    "JSON",
    "bodies of requests, shops' webhooks included",
    `${size(usual)}; with PDFs, files and lists up to ${size(largest("limit"))}`,
    `${number(Math.min(...json.map(({ values }) => values)))} to ${number(largest("values"))} values, ${MAX_DEPTH} levels; ${number(MAX_REST)} characters besides base64`,
    ...LOOP
  ],
  ["forms", "hosted pages", size(page.limit), "by its size", ...LOOP],
  [
    "forms",
    "console",
    `${size(page.limit)}; with a file ${size(consoleForm.limit)}`,
    `${number(MAX_FIELDS)} fields`,
    ...LOOP
  ],
  ["forms", "FHIR searches, requests for tokens", size(fhir.limit), `${number(FIELDS_MAX)} fields`, ...LOOP],
  [
    "FHIR resources in JSON and XML",
    "bookings and patches",
    size(fhir.limit),
    `${number(PARTS_MAX)} values, elements and attributes, ${RESOURCE_DEPTH} levels; no document type`,
    ...LOOP
  ],
  [
    "multipart",
    "screens of forms, with files",
    size(accepts("POST", "/booking/:code/questions").limit),
    `${number(FORM_PARTS)} parts, heads of ${size(FORM_HEAD)}`,
    ...LOOP
  ],
  ["compressed bodies", "requests", "none is accepted", "", "", ""],
  [
    "CSV",
    "stock lists in the console",
    size(consoleForm.limit),
    `${number(BULK_LIMIT)} lines, of which 4 cells are read`,
    ...LOOP
  ],
  ["base64", "PDFs, pictures", `${number(PDF_LIMITS.base64)} characters`, "", ...LOOP],
  [
    "PNG, JPEG",
    "pictures of practices and doctors",
    size(IMAGE_MAX_BYTES),
    "not decoded: the first bytes tell the type",
    ...LOOP
  ],
  [
    "PNG, JPEG",
    "files of patients, without their metadata",
    size(FILE_MAX),
    `not decoded: segments are copied; ${number(PIXELS_MAX)} pixels`,
    ...LOOP
  ],
  [
    "PDF (MuPDF)",
    "prescriptions",
    size(PDF_LIMITS.bytes),
    `${size(MEMORY_MAX)} of memory`,
    `${seconds(TIME)} of processor time`,
    "a process of its own"
  ],
  [
    "CMS, X.509 (DER)",
    "signatures in PDFs",
    size(BYTES_MAX),
    "10,000 elements, 100 levels",
    "with its PDF",
    "a process of its own"
  ],
  [
    "iCalendar",
    "doctors' calendars",
    size(BODY_MAX),
    `${number(LINES_MAX)} lines`,
    seconds(TIME_MILLIS),
    "a thread of its own"
  ],
  [
    "XML",
    "answers of CalDAV servers",
    size(BODY_MAX),
    `${number(ELEMENTS_MAX)} elements; no document type`,
    seconds(TIME_MILLIS),
    "a thread of its own"
  ],
  ["JSON", "answers of storefronts", size(ANSWER_MAX), "by its size", ...LOOP],
  ["JSON", "key sets of FHIR clients", size(MAX_BYTES), "by its size", ...LOOP],
  ["JWT, cookies, cursors, queries", "heads of requests", "16 KiB", "by its size", ...LOOP],
  ["JSON", "messages of a meeting's socket", size(MESSAGE_MAX), "by its size", ...LOOP],
  ["answers of webhooks", "receivers", "read and discarded", "", "", "event loop"],
  [
    "JSON, XML",
    "the operator's own servers: identity provider, key service, payments, SMS, bucket",
    "not bounded here",
    "",
    "with the call",
    "event loop"
  ]
]

/** The table, as it should be in the page. */
export const parsersTable = () =>
  [
    "| parser | input | bytes | elements | time | where |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows.map((row) => `| ${row.map((cell) => (cell === "" ? "–" : cell)).join(" | ")} |`)
  ].join("\n")

const divided = () => {
  const text = readFileSync(PAGE, "utf8")
  const [start, end] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)]
  return { before: text.slice(0, start), table: text.slice(start, end).trim(), after: text.slice(end) }
}
/** The table that is in the page. */
export const parsersInPage = () => divided().table

if (import.meta.main) {
  const { before, after } = divided()
  writeFileSync(PAGE, `${before}\n${parsersTable()}\n\n${after}`)
}
