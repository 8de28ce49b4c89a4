/** Large responses in memory. Rule 2.8.5. */
import { expect, test } from "bun:test"
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Exit, Stream } from "effect"
import { MIB } from "../../src/http/admission/bodyLimits.ts"
import { makeSlowReaderGuard } from "../../src/http/admission/slowReaders.ts"
import { compressed, constant } from "../../src/http/server/compression.ts"
import { asParty } from "../support/admission.ts"
import { eventually } from "../support/eventually.ts"

const request = HttpServerRequest.fromWeb(new Request("http://localhost/"))
const answerOf = (size: number) =>
  HttpServerResponse.uint8Array(new Uint8Array(size).fill(97), { contentType: "text/plain" })
const PATIENT = { all: 4 * MIB, own: 2 * MIB, seconds: 20 }

/** Sends a request from this address; returns the response as Bun gets it, or undefined if there is no capacity. */
const requesting = (limits: typeof PATIENT, app = answerOf(2 * MIB)) => {
  const counted = makeSlowReaderGuard(limits)(app)
  return async (caller: string) => {
    const exit = await counted.pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, request),
      asParty({ owner: caller, caller, isPartner: false }),
      Effect.runPromiseExit
    )
    return Exit.isSuccess(exit) ? HttpServerResponse.toWeb(exit.value) : undefined
  }
}
const readerOf = (answer: Response | undefined) => {
  if (!answer?.body) throw new Error("no room")
  return answer.body.getReader()
}

const endOf = (closed: Promise<unknown>) =>
  closed.then(
    () => "whole",
    () => "broken off"
  )

// Shows: clients that do not read their responses
// Shows: large responses that are read slowly, or not at all
test("large answers share a memory limit with a smaller one per address, until their last byte is read", async () => {
  const sendRequest = requesting(PATIENT)
  const reader = readerOf(await sendRequest("one"))
  await reader.read()
  expect([await sendRequest("one"), (await sendRequest("other")) !== undefined]).toEqual([undefined, true])
  await reader.cancel()
  const whole = await (await sendRequest("one"))?.bytes()
  expect([whole?.length, (await sendRequest("one")) !== undefined]).toEqual([2 * MIB, true])
})

// Shows: clients that do not read their responses
// Shows: large responses that are read slowly, or not at all
test("large answers to a stalled reader are aborted visibly after a timeout, and release their memory", async () => {
  // of 2 MiB a tenth of a second
  const sendRequest = requesting({ ...PATIENT, seconds: -15.9 })
  const reader = readerOf(await sendRequest("one"))
  await reader.read()
  await eventually(
    () => sendRequest("one"),
    (answer) => answer !== undefined
  )
  expect(await endOf(reader.closed)).toBe("broken off")
})

test("large answers are those over 256 KiB, as Bun copies each; an answer shared by all callers is in memory once", async () => {
  const hasRoomBeside = async (app: HttpServerResponse.HttpServerResponse) => {
    const sendRequest = requesting({ all: MIB / 2, own: MIB / 2, seconds: 20 }, app)
    await readerOf(await sendRequest("one")).read()
    return (await sendRequest("one")) !== undefined
  }
  expect(await hasRoomBeside(answerOf(MIB / 2))).toBeFalse()
  expect(await hasRoomBeside(constant(answerOf(MIB)))).toBeTrue()
  expect(await hasRoomBeside(answerOf(MIB / 4))).toBeTrue()
})

// of each the time that leaves it a tenth of a second
test.each([
  ["the same for all", -3.9, constant(answerOf(MIB / 2))],
  ["written meanwhile", -579.9, HttpServerResponse.stream(Stream.make(new Uint8Array(9), new Uint8Array(9)))]
])("large answers that are %s end in time", async (_, seconds, app) => {
  const reader = readerOf(await requesting({ ...PATIENT, seconds }, app)("one"))
  await reader.read()
  expect(await endOf(reader.closed)).toBe("broken off")
})

/** A streamed response, compressed, whose stream tells when it is opened and closed. */
const streaming = (rest: Stream.Stream<Uint8Array>) => {
  const seen = { opened: 0, closed: 0 }
  const opening = Effect.acquireRelease(
    Effect.sync(() => (seen.opened += 1)),
    () => Effect.sync(() => (seen.closed += 1))
  )
  const source = Stream.unwrapScoped(Effect.as(opening, Stream.concat(Stream.make(new Uint8Array(9)), rest)))
  const ask = (limits: typeof PATIENT) =>
    makeSlowReaderGuard(limits)(
      compressed(HttpServerResponse.stream(source, { contentType: "application/json" }))
    ).pipe(
      Effect.provideService(
        HttpServerRequest.HttpServerRequest,
        HttpServerRequest.fromWeb(new Request("http://localhost/", { headers: { "accept-encoding": "br" } }))
      ),
      Effect.runPromiseExit
    )
  return { seen, ask }
}

test("a compressed stream is opened when its response is first read, and never for one that is refused", async () => {
  const { seen, ask } = streaming(Stream.empty)
  expect(Exit.isFailure(await ask({ ...PATIENT, all: 0 }))).toBeTrue()
  const read = await ask(PATIENT)
  if (Exit.isFailure(read)) throw new Error("no room")
  expect(seen).toEqual({ opened: 0, closed: 0 })
  await HttpServerResponse.toWeb(read.value).bytes()
  expect(seen).toEqual({ opened: 1, closed: 1 })
})

test("a compressed stream ends with its reader, also while its source waits for data", async () => {
  const { seen, ask } = streaming(Stream.never)
  const exit = await ask(PATIENT)
  if (Exit.isFailure(exit)) throw new Error("no room")
  const reader = readerOf(HttpServerResponse.toWeb(exit.value))
  const reading = endOf(reader.read())
  const isSeen = (what: "opened" | "closed") =>
    eventually(
      async () => seen[what],
      (times) => times === 1
    )
  await isSeen("opened")
  await reader.cancel()
  await reading
  await isSeen("closed")
})
