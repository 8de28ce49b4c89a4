/** Runs every sample of the reference in its language: all four send the request of the document's example. */
import { afterAll, describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { documentNow } from "../../script/generate/document.ts"
import { sampleRequests } from "../../script/site/reference.ts"
import { LANGUAGES, type Language, type SampleRequest, sampleOf } from "../../script/site/samples.ts"
import { installedClient } from "../support/clientPackage.ts"
import { run } from "../support/processes.ts"

const client = installedClient()
const requests = sampleRequests(documentNow())

interface Sent {
  readonly request: string
  readonly credentials: ReadonlyArray<string | null>
  readonly body: unknown
}

/** Received requests by language and operation: each sample has its own address. */
const sent = new Map<string, Sent>()
const recorder = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: async (request) => {
    const { pathname, search } = new URL(request.url)
    const [, language = "", operation = "", ...path] = pathname.split("/")
    const text = await request.text()
    sent.set(`${language} ${operation}`, {
      request: `${request.method} /${path.join("/")}${search}`,
      credentials: ["x-api-key", "x-service-booking-token", "authorization"].map((name) => request.headers.get(name)),
      body: text === "" ? undefined : JSON.parse(text)
    })
    return Response.json({ data: [], next: null, totalPages: 0 })
  }
})
afterAll(() => recorder.stop(true))

const codeOf = (request: SampleRequest, language: Language) =>
  sampleOf(request, language).replaceAll(
    "%BASE_URL%",
    `http://127.0.0.1:${recorder.port}/${language}/${request.operationId}`
  )

const write = (name: string, text: string) => {
  const path = join(client.project, name)
  writeFileSync(path, text)
  return path
}

/** One program for each language that runs its samples one after the other. */
const programs: Readonly<Record<Language, () => ReadonlyArray<string>>> = {
  curl: () => [
    "sh",
    write("samples.sh", requests.map((request) => `${codeOf(request, "curl")} -sS || exit 1`).join("\n"))
  ],
  TypeScript: () => {
    const files = requests.map((request) => write(`${request.operationId}.mjs`, codeOf(request, "TypeScript")))
    return [client.node, write("samples.mjs", files.map((file) => `await import(${JSON.stringify(file)})`).join("\n"))]
  },
  Python: () => ["python3", write("samples.py", requests.map((request) => codeOf(request, "Python")).join("\n"))],
  PHP: () => {
    const files = requests.map((request) => write(`${request.operationId}.php`, codeOf(request, "PHP")))
    return ["php", write("samples.php", `<?php\n${files.map((file) => `require ${JSON.stringify(file)};`).join("\n")}`)]
  }
}

const wanted = ({ method, path, credential, body }: SampleRequest): Sent => ({
  request: `${method} ${path}`,
  credentials: [
    credential?.kind === "apiKey" ? credential.value : null,
    credential?.kind === "bookingToken" ? credential.value : null,
    credential?.kind === "bearer" ? `Bearer ${credential.value}` : null
  ],
  body
})

describe.each([...LANGUAGES])("%s", (language) => {
  test("every sample sends its request", async () => {
    const program = run(programs[language]())
    expect([await program.ended, program.said().match(/error|warning/i)]).toEqual([0, null])
    for (const request of requests)
      expect([request.operationId, sent.get(`${language} ${request.operationId}`)]).toEqual([
        request.operationId,
        wanted(request)
      ])
  })
})

test("there is a sample for every operation", () => {
  expect(requests.length).toBeGreaterThan(120)
  const document = documentNow()
  expect(requests.map(({ operationId }) => operationId).toSorted()).toEqual(
    Object.values(document.paths)
      .flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
      .toSorted()
  )
})
