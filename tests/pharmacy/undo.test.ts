/** The last step of an order is undone for ten seconds, and what is missing is reported. Rules 10.4.20 and 10.4.21. */
import { expect, test } from "bun:test"
import { Effect, Schema } from "effect"
import { NewOrderProblem, type StatusChange } from "../../src/schemas/pharmacy/PharmacyOrder.ts"
import { present } from "../support/body.ts"
import { sandboxLayers } from "../support/server.ts"
import { eventsIn, layeredPharmacy } from "./pharmacyWorld.ts"

const layers = sandboxLayers()

const scene = async (status = "new") => {
  const world = await layeredPharmacy(layers.current)
  const uid = await world.order({ status })
  const set = (change: StatusChange) => world.orders((orders, own) => orders.changeStatus(own, uid, change))
  const undo = () => world.orders((orders, own) => orders.undo(own, uid))
  const refusal = () =>
    world.orders((orders, own) => Effect.map(Effect.flip(orders.undo(own, uid)), ({ _tag }) => _tag))
  return { world, uid, set, undo, refusal }
}

test("each step without effects outside is undone, with the tracking number that it set; Rule 10.4.20", async () => {
  const { world, uid, set, undo, refusal } = await scene()
  for (const [status, before] of [
    ["accepted", "new"],
    ["in_preparation", "accepted"],
    ["ready_for_pickup", "in_preparation"]
  ] as const) {
    expect((await set({ status })).undo).toMatchObject({ status: before })
    expect(await undo()).toMatchObject({ status: before, undo: null })
    await set({ status })
    if (status === "ready_for_pickup") await undo()
  }
  const tracking = { carrier: "DHL", number: "JJD1" }
  expect((await set({ status: "shipped", tracking })).tracking).toEqual(tracking)
  expect(await undo()).toMatchObject({ status: "in_preparation", tracking: null })
  expect(await refusal()).toBe("NothingToUndo")
  const events = await eventsIn(layers.current, world.pharmacy_uid)
  expect(events.at(-1)).toMatchObject({ type: "pharmacy_order.status_updated" })
  expect((await world.orders((orders, own) => orders.get(own, uid))).status).toBe("in_preparation")
})

test("a rejected order stays rejected, and a step of more than ten seconds ago stays taken; Rule 10.4.20", async () => {
  const taken = await scene()
  await taken.set({ status: "accepted" })
  await layers.current.advance(12)
  expect(await taken.refusal()).toBe("NothingToUndo")
  const rejected = await scene()
  await rejected.set({ status: "rejected", reason: "gone" })
  expect(await rejected.refusal()).toBe("NothingToUndo")
})

test("missing articles and a message are reported, checked against the lines, and over once emptied; Rule 10.4.21", async () => {
  const { world, uid } = await scene("accepted")
  const report = (problem: typeof NewOrderProblem.Encoded) =>
    world.orders((orders, own) => Effect.either(orders.report(own, uid, Schema.decodeSync(NewOrderProblem)(problem))))
  const { lines } = await world.orders((orders, own) => orders.get(own, uid))
  const { uid: line_uid, quantity } = present(lines[0])
  const missing = [{ line_uid, quantity }]
  expect(await report({ message: "Ab Freitag", missing })).toMatchObject({
    right: { status: "accepted", problem: { message: "Ab Freitag", missing } }
  })
  const wrong = [
    { line_uid: "nope", quantity: 1 },
    { line_uid, quantity: quantity + 1 }
  ]
  expect(await report({ missing: wrong })).toMatchObject({
    left: {
      faults: [
        { field: "missing[0].line_uid", message: "is no line of this order" },
        { field: "missing[1].quantity", message: `must be at most ${quantity}` }
      ]
    }
  })
  expect(await report({})).toMatchObject({ right: { problem: null } })
})
