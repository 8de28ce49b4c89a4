import { mintBookingToken } from "../../../clients/typescript/src/bookingTokens.ts"
import { type Demo, recordFor } from "./demoRecords.ts"

const facts = document.querySelector<HTMLMetaElement>('meta[name="demo"]')?.content
/** undefined if this installation has no demo data */
const demo: Demo | undefined = facts ? JSON.parse(facts) : undefined

const mint = ({ bookingKeyId: keyId, bookingSecret: secret, shopIdentifier, customer: customerId }: Demo) =>
  mintBookingToken({ keyId, secret }, { shopIdentifier, customerId })

const credentialHeader = async (form: HTMLFormElement): Promise<Record<string, string>> => {
  const input = form.querySelector<HTMLInputElement>('input[name="credential"]')
  if (input === null) return {}
  if (input.dataset.kind === "bookingToken" && demo !== undefined && !input.value.includes("."))
    input.value = await mint(demo)
  if (input.dataset.kind === "bearer") return { authorization: `Bearer ${input.value}` }
  return { [input.dataset.kind === "apiKey" ? "x-api-key" : "x-service-booking-token"]: input.value }
}

/** The URL from the form's fields. A path parameter with its example value is replaced by a record of the demo data. */
const addressFrom = async (form: HTMLFormElement) => {
  let path = form.dataset.path ?? ""
  const query = new URLSearchParams()
  for (const input of form.querySelectorAll<HTMLInputElement>("input[data-in]")) {
    if (input.dataset.in === "path") {
      if (demo !== undefined && /(^|_)example/.test(input.value))
        input.value = (await recordFor(input.name, path, demo, () => mint(demo))) ?? input.value
      path = path.replace(`{${input.name}}`, encodeURIComponent(input.value))
    } else if (input.value !== "") query.append(input.name, input.value)
  }
  return path + (query.size > 0 ? `?${query}` : "")
}

const readable = (text: string) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const SHOWN = 20_000

const send = async (form: HTMLFormElement) => {
  const body = form.querySelector("textarea")?.value
  const headers = {
    ...(await credentialHeader(form)),
    ...(body !== undefined && { "content-type": "application/json" })
  }
  const address = await addressFrom(form)
  const start = performance.now()
  const answer = await fetch(address, {
    method: form.dataset.method ?? "GET",
    headers,
    credentials: "omit",
    ...(body !== undefined && { body })
  })
  const text = readable(await answer.text())
  const line = `${answer.status} ${answer.statusText}, ${Math.round(performance.now() - start)} ms, ${address}`
  return [line, text.length > SHOWN ? `${text.slice(0, SHOWN)}\n…` : text] as const
}

/** Activates the forms beside the operations. */
export const tryIt = () => {
  for (const form of document.querySelectorAll<HTMLFormElement>("form.try")) {
    const button = form.querySelector("button")
    const output = form.querySelector("output")
    if (!button || !output) continue
    form.hidden = false
    form.addEventListener("submit", async (event) => {
      event.preventDefault()
      button.disabled = true
      const [line, text] = await send(form).catch((error: unknown) => ["No answer", String(error)] as const)
      button.disabled = false
      const status = document.createElement("p")
      status.textContent = line
      const shown = document.createElement("pre")
      shown.tabIndex = 0
      shown.textContent = text
      output.replaceChildren(status, shown)
    })
  }
}
