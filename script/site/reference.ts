/** The reference: one page per group of operations, from the OpenAPI document. */
import {
  credentialsOf,
  type Document,
  type Entry,
  entriesOf,
  isForBrowsers,
  isForPartners,
  jsonOf,
  type Operation
} from "../generate/document.ts"
import { addressOf, codeBlock, escaped, type SitePage, wordsOf } from "./html.ts"
import { LANGUAGES, type SampleRequest, sampleOf } from "./samples.ts"
import { fieldsOf, parameterItem } from "./schemaFields.ts"

const slugOf = (tag: string) =>
  tag
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")

/** Placeholders for keys and tokens, which the service replaces when it serves the page: the demo keys, or a description. */
const credentialOf = ({ operation, path }: Entry): SampleRequest["credential"] => {
  const [kind] = credentialsOf(operation)
  if (kind === "bookingToken") return { kind, value: "%BOOKING_TOKEN%" }
  if (kind === "bearer") return { kind, value: "%ACCESS_TOKEN%" }
  if (kind !== "apiKey") return undefined
  if (path.startsWith("/v1/external_pharmacy_api")) return { kind, value: "%PHARMACY_KEY%" }
  return { kind, value: path.startsWith("/v2/") ? "%CHECKOUT_KEY%" : "%MANAGEMENT_KEY%" }
}

/** Names of records in the demo data that are not examples of a field. */
const demoRecords: Readonly<Record<string, string>> = {
  shop_identifier: "demo-shop",
  organisation_uid: "org_demo",
  prescription_uid: "prx_demo_waiting",
  pharmacy_order_uid: "pho_demo",
  pharmacy_sku_uid: "psk_demo_ibuprofen",
  key_id: "bts_demo"
}

const exampleOf = ({ name, schema }: NonNullable<Operation["parameters"]>[number]) =>
  demoRecords[name] ??
  String((schema as { readonly examples?: ReadonlyArray<unknown> }).examples?.[0] ?? `${name}_example`)

/** The request in the samples: the documented example. */
export const sampleRequestOf = (entry: Entry): SampleRequest => {
  const { operation, method } = entry
  const given = (operation.parameters ?? []).filter((one) => one.in === "path" || (one.in === "query" && one.required))
  const input = Object.fromEntries(given.map((one) => [one.name, exampleOf(one)]))
  const path = entry.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const query = new URLSearchParams(
    given.filter((one) => one.in === "query").map(({ name }) => [name, String(input[name])])
  )
  return {
    operationId: operation.operationId,
    client: !isForPartners(entry) ? "none" : isForBrowsers(entry) ? "browser" : "backEnd",
    method,
    path: path + (query.size > 0 ? `?${query}` : ""),
    input,
    credential: credentialOf(entry),
    body: jsonOf(operation.requestBody?.content)?.example
  }
}

/** The request of every operation, for the samples and for the test that runs them. */
export const sampleRequests = (document: Document): ReadonlyArray<SampleRequest> =>
  entriesOf(document).map(sampleRequestOf)

const samples = (request: SampleRequest) =>
  LANGUAGES.map(
    (language, index) =>
      `<details name="code-${request.operationId}"${index === 0 ? " open" : ""}><summary>${language}</summary>${codeBlock(sampleOf(request, language))}</details>`
  ).join("\n")

const tryIt = (entry: Entry, request: SampleRequest) => {
  const parameters = (entry.operation.parameters ?? []).filter((one) => one.in === "path" || one.in === "query")
  const field = ({ name, in: place, required }: (typeof parameters)[number]) => {
    const value = place === "path" || required ? String(request.input[name] ?? "") : ""
    return `<label>${escaped(name)}<input name="${escaped(name)}" data-in="${place}" value="${escaped(value)}" autocomplete="off" spellcheck="false"></label>`
  }
  const credential =
    request.credential === undefined
      ? ""
      : `<label>${{ apiKey: "X-API-Key", bookingToken: "X-Service-Booking-Token", bearer: "Access token" }[request.credential.kind]}<input name="credential" data-kind="${request.credential.kind}" value="${request.credential.value}" autocomplete="off" spellcheck="false"></label>`
  const body =
    request.body === undefined
      ? ""
      : `<label>Body<textarea name="body" rows="${Math.min(14, JSON.stringify(request.body, null, 2).split("\n").length)}" spellcheck="false">${escaped(JSON.stringify(request.body, null, 2))}</textarea></label>`
  return `<form class="try" hidden data-method="${entry.method}" data-path="${escaped(entry.path)}" aria-label="Try ${entry.operation.operationId}">
<h4>Try it</h4>${credential}${parameters.map(field).join("")}${body}
<button type="submit">Send ${entry.method}</button><output></output></form>`
}

const answers = ({ responses }: Operation, document: Document) =>
  Object.entries(responses)
    .map(([status, body]) => {
      const media = jsonOf(body.content)
      const said = escaped(body.description ?? "").replace(/`([^`]+)`/g, "<code>$1</code>")
      if (!status.startsWith("2")) return `<li><strong>${status}</strong> ${said}</li>`
      const kinds = Object.keys(body.content ?? {}).filter((kind) => kind !== "application/json")
      const others = kinds.length === 0 ? "" : ` Also as <code>${kinds.join("</code>, <code>")}</code>.`
      const shown =
        media === undefined
          ? ""
          : `<details><summary>Fields</summary>${fieldsOf(media.schema, document)}</details><details><summary>Example</summary>${codeBlock(JSON.stringify(media.example, null, 2))}</details>`
      return `<li><strong>${status}</strong> ${Object.keys(body.content ?? {}).length === 0 ? "Done; without a body." : "Success."}${others}${shown}</li>`
    })
    .join("\n")

const operationHtml = (entry: Entry, document: Document) => {
  const { operation, method, path } = entry
  const request = sampleRequestOf(entry)
  const parameters = (operation.parameters ?? []).filter((one) => one.name.toLowerCase() !== "x-service-booking-token")
  const body = jsonOf(operation.requestBody?.content)
  const [first = "", ...rest] = (operation.description ?? "").split("\n")
  const said = first === `${operation.summary}.` ? "" : [first, ...rest].join(" ")
  return `<section id="${operation.operationId}">
<h2>${escaped(operation.summary ?? operation.operationId)}</h2>
<p class="route"><span class="method">${method}</span> <code>${escaped(path).replaceAll("/", "/<wbr>")}</code></p>
${operation.deprecated ? '<p class="note">Deprecated: see <a href="/docs/guides/versions">versions and deprecation</a>.</p>' : ""}
${said === "" ? "" : `<p>${escaped(said).replace(/`([^`]+)`/g, "<code>$1</code>")}</p>`}
<p class="quiet">In the client: <code>${operation.operationId}</code></p>
${parameters.length === 0 ? "" : `<h3>Parameters</h3><ul class="fields">${parameters.map(parameterItem).join("\n")}</ul>`}
${body === undefined ? "" : `<h3>Body</h3>${fieldsOf(body.schema, document)}`}
<h3>Request</h3>
<div class="samples">${samples(request)}</div>
${tryIt(entry, request)}
<h3>Answers</h3><ul class="answers">${answers(operation, document)}</ul>
</section>`
}

interface Group {
  readonly tag: string
  readonly description: string
  readonly entries: ReadonlyArray<Entry>
}

const groupsOf = (document: Document): ReadonlyArray<Group> =>
  document.tags
    .map(({ name, description = "" }) => ({
      tag: name,
      description,
      entries: entriesOf(document).filter(({ operation }) => operation.tags[0] === name)
    }))
    .filter(({ entries }) => entries.length > 0)

const linkTo = ({ operation, method }: Entry, address: string) =>
  `<li><a href="${address}#${operation.operationId}">${escaped(operation.summary ?? operation.operationId)}</a> <span class="method">${method}</span></li>`

const fieldNames = ({ requestBody }: Operation) => {
  const example = jsonOf(requestBody?.content)?.example
  return typeof example === "object" && example !== null ? Object.keys(example).join(" ") : ""
}

const groupPage = ({ tag, description, entries }: Group, document: Document): SitePage => {
  const path = `reference/${slugOf(tag)}`
  const links = entries.map((entry) => linkTo(entry, addressOf(path))).join("\n")
  return {
    path,
    title: tag,
    body: `<h1>${escaped(tag)}</h1><p>${escaped(description)}</p><ul class="contents">${links}</ul>${entries.map((entry) => operationHtml(entry, document)).join("\n")}`,
    sections: entries.map(({ operation, method, path: route }) => ({
      title: operation.summary ?? operation.operationId,
      page: tag,
      address: `${addressOf(path)}#${operation.operationId}`,
      text: wordsOf(
        `${operation.operationId} ${method} ${route} ${operation.description ?? ""} ${(operation.parameters ?? []).map(({ name }) => name).join(" ")} ${fieldNames(operation)}`
      )
    }))
  }
}

const groupSummary = (group: Group) => {
  const address = addressOf(`reference/${slugOf(group.tag)}`)
  const links = group.entries.map((entry) => linkTo(entry, address)).join("\n")
  return `<h2><a href="${address}">${escaped(group.tag)}</a></h2><p>${escaped(group.description)}</p><ul class="contents">${links}</ul>`
}

/** The pharmacies' part has its own URL and is one page. */
const pharmaciesPage = (groups: ReadonlyArray<Group>, document: Document): SitePage => {
  const path = "reference/pharmacies"
  const entries = groups.flatMap((group) => group.entries)
  return {
    path,
    title: "Pharmacies",
    body: `<h1>Sprechstunde for pharmacies</h1><p>Stock and prices, orders, payouts and webhooks of a pharmacy. The key is sent as <code>X-API-Key</code>; group-wide keys name a pharmacy with <code>pharmacy_uid</code>. For programs: <a href="/v1/external_pharmacy_api/openapi.json">openapi.json</a>.</p><ul class="contents">${entries.map((entry) => linkTo(entry, "")).join("\n")}</ul>${entries.map((entry) => operationHtml(entry, document)).join("\n")}`,
    sections: []
  }
}

const overview = (groups: ReadonlyArray<Group>): SitePage => ({
  path: "reference",
  title: "Reference",
  body: `<h1>Reference</h1><p>Every operation with its fields, answers and codes, in curl, TypeScript, Python and PHP. The same for programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>${groups.map(groupSummary).join("\n")}`,
  sections: []
})

const eventsPage = (document: Document): SitePage => {
  const events = Object.entries(document.webhooks)
  const path = "reference/events"
  return {
    path,
    title: "Events",
    body: `<h1>Events</h1><p>What subscribers receive, and what the feed holds. <a href="/docs/guides/webhooks">Webhooks</a> says how they are signed and delivered.</p>${events
      .map(([type, { post }]) => {
        const media = jsonOf(post.requestBody?.content)
        return `<section id="${type}"><h2><code>${type.replaceAll(/([._])/g, "$1<wbr>")}</code></h2><p>${escaped(post.summary ?? "")}</p>${media === undefined ? "" : `${fieldsOf(media.schema, document)}<details><summary>Example</summary>${codeBlock(JSON.stringify(media.example, null, 2))}</details>`}</section>`
      })
      .join("\n")}`,
    sections: events.map(([type, { post }]) => ({
      title: type,
      page: "Events",
      address: `${addressOf(path)}#${type}`,
      text: wordsOf(post.summary ?? "")
    }))
  }
}

export interface Reference {
  readonly pages: ReadonlyArray<SitePage>
  /** Titles and paths for the navigation. */
  readonly groups: ReadonlyArray<{ readonly label: string; readonly path: string }>
}

export const referenceOf = (document: Document): Reference => {
  const groups = groupsOf(document)
  const pharmacy = groups.filter(({ entries }) =>
    entries.every(({ path }) => path.startsWith("/v1/external_pharmacy_api/"))
  )
  return {
    pages: [
      overview(groups),
      pharmaciesPage(pharmacy, document),
      eventsPage(document),
      ...groups.map((group) => groupPage(group, document))
    ],
    groups: [
      { label: "All operations", path: "reference" },
      ...groups.map(({ tag }) => ({ label: tag, path: `reference/${slugOf(tag)}` })),
      { label: "Events", path: "reference/events" }
    ]
  }
}
