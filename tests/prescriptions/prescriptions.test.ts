/** What happens to prescriptions, without HTTP (Rules 9.1 to 9.4). */
import { beforeAll, describe, expect, test } from "bun:test"
import { Effect, Either } from "effect"
import { system } from "../../src/schemas/access/Actor.ts"
import { DomainClock } from "../../src/services/DomainClock.ts"
import { PrescriptionRendering } from "../../src/services/prescriptions/PrescriptionRendering.ts"
import { Prescriptions } from "../../src/services/prescriptions/Prescriptions.ts"
import { openedEvents } from "../support/records.ts"
import { sized } from "../support/scale.ts"
import { sandboxLayers } from "../support/server.ts"
import { type LayeredPrescriptions, layeredPrescriptions } from "./support/world.ts"

const layers = sandboxLayers()
let world: LayeredPrescriptions
beforeAll(async () => {
  world = await layeredPrescriptions(layers.current)
})

const eventsOf = (uid: string, type: string) =>
  openedEvents(layers.current, (sql) => sql`subject = ${uid} AND type = ${type}`)

describe("rendering", () => {
  const started = (uid: string) =>
    world.inside(
      Effect.flatMap(PrescriptionRendering, ({ start }) => start(world.refOf(uid), system)).pipe(
        Effect.map(({ message }) => message)
      )
    )
  const refusal = (uid: string) => world.inside(Effect.map(Effect.flip(world.signing(uid)), ({ _tag }) => _tag))

  test("does not start for a name that cannot be printed, which is never signed; Rule 9.3.7", async () => {
    const patient = { first_name: "明", last_name: "李", date_of_birth: 0, gender: "male" }
    const uid = await world.prescription({ patient })
    expect(await started(uid)).toBe(
      "The sheet has characters that cannot be printed (U+660E, U+674E); nothing was started"
    )
    expect(await eventsOf(uid, "prescription.render")).toHaveLength(0)
    expect(await refusal(uid)).toBe("NotRendered")
  })

  test("does not start for more items than a sheet can hold; Rule 9.3.6", async () => {
    const items = Array.from({ length: 101 }, () => ({ sku_uid: world.sku_uid, quantity: 1 }))
    expect(await started(await world.prescription({ items }))).toBe(
      "The prescription has more than 100 items; nothing was started"
    )
    const most = await world.prescription({ items: items.slice(1) })
    expect(await started(most)).toBe("Rendering has started")
  })
})

test("signing externally by concurrent callers happens once", async () => {
  const uid = await world.filed()
  const callers = sized(6, 20)
  const answers = await Promise.all(
    Array.from({ length: callers }, () => world.inside(Effect.either(world.signing(uid))))
  )
  expect(answers.map((one) => (Either.isLeft(one) ? one.left._tag : "signed")).sort()).toEqual([
    ...Array.from({ length: callers - 1 }, () => "PrescriptionNotWaiting"),
    "signed"
  ])
  expect(await eventsOf(uid, "pharmacy_manager.send_prescription")).toHaveLength(1)
  expect(await layers.current.sql`SELECT 1 FROM prescription_log WHERE prescription_uid = ${uid}`).toHaveLength(1)
  expect(await layers.current.sql`SELECT 1 FROM files WHERE prescription_uid = ${uid}`).toHaveLength(2)
})

describe("a transition", () => {
  const step = (uid: string, trigger: "dispatch" | "complete" | "cancel") =>
    world.inside(
      Effect.flatMap(Prescriptions, (prescriptions) =>
        trigger === "cancel"
          ? Effect.either(prescriptions.cancel(world.refOf(uid), "Entered twice", system))
          : prescriptions[trigger](world.refOf(uid))
      )
    )
  const triggers = ["dispatch", "complete", "cancel"] as const
  const expected: Readonly<Record<string, ReadonlyArray<string>>> = {
    WAITING_FOR_DOCTOR: ["waiting_for_doctor", "waiting_for_doctor", "cancelled"],
    EXTERNALLY_SIGNED: ["dispatched", "externally_signed", "cancelled"],
    SIGNED: ["dispatched", "signed", "cancelled"],
    DISPATCHED: ["dispatched", "completed", "cancelled"],
    COMPLETED: ["completed", "completed", "completed"],
    CANCELLED: ["cancelled", "cancelled", "cancelled"]
  }
  test("from every status by every trigger matches the table", async () => {
    for (const [status, outcomes] of Object.entries(expected)) {
      const seen: Array<string> = []
      for (const trigger of triggers) {
        const uid = await world.prescription({ status })
        await step(uid, trigger)
        seen.push((await world.shown(uid)).status)
      }
      expect([status, ...seen]).toEqual([status, ...outcomes])
    }
  })

  test("of a missing prescription does nothing", async () => {
    await step("prx_unknown", "dispatch")
  })

  test("goes on to dispatched at once if a paid order waits for the signature", async () => {
    const uid = await world.filed()
    await world.paidOrder(uid)
    expect(await world.signExternally(uid)).toMatchObject({ status: "EXTERNALLY_SIGNED" })
    expect((await world.shown(uid)).status).toBe("dispatched")
    const called = await world.filed()
    await world.paidOrder(called, { status: "cancelled" })
    await world.paidOrder(called, { paid: false })
    await world.signExternally(called)
    expect((await world.shown(called)).status).toBe("externally_signed")
  })
})

describe("provisioning", () => {
  test("a second time changes an untouched prescription, and leaves a rendered one as it is", async () => {
    const again = async (uid: string) => {
      const items = [{ sku_uid: world.sku_uid, quantity: 5 }]
      const patient = { first_name: "A", last_name: "B", date_of_birth: null, gender: null }
      const entry = { uid, organisation_uid: world.organisation_uid, status: "WAITING_FOR_DOCTOR", patient, items }
      const before = await world.shown(uid)
      await world.inside(Effect.flatMap(DomainClock, (clock) => clock.advance(60)))
      await world.provision({ prescriptions: [entry] })
      const { items: shown, updated_at } = await world.shown(uid)
      return [shown.map(({ quantity }) => quantity), updated_at - before.updated_at >= 60]
    }
    expect(await again(await world.prescription())).toEqual([[5], true])
    expect(await again(await world.filed())).toEqual([[2], false])
  })

  test("names the path of a dangling reference", async () => {
    for (const [field, fields] of Object.entries({
      "items[0].sku_uid": { items: [{ sku_uid: "sku_unknown", quantity: 1 }] },
      doctor_uid: { doctor_uid: "doc_unknown" },
      shop_uid: { shop_uid: "shop_unknown" }
    }))
      expect(await world.prescription(fields).then(() => "accepted", String)).toContain(`prescriptions[0].${field}`)
  })

  test("takes a birth date as a timestamp, before 1970 too, or as a date", async () => {
    for (const date_of_birth of [-1_000_000_000, "1938-04-24", "1938-04-23T22:00"]) {
      const patient = { first_name: "A", last_name: "B", date_of_birth, gender: "divers" }
      const given = world.prescription({ patient })
      if (date_of_birth === "1938-04-23T22:00") await expect(given).rejects.toThrow("date_of_birth")
      else expect(await world.shown(await given)).toMatchObject({ rendered: false })
    }
  })
})
