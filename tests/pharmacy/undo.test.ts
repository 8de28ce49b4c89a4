/** The last step of an order is undone for ten seconds, and what is missing is reported. Rules 10.4.20 and 10.4.21. */
import { expect, test } from "bun:test"
import { sandboxServer } from "../support/server.ts"
import { eventsIn, makePharmacy } from "./pharmacyWorld.ts"

const server = sandboxServer()

const scene = async (status = "new") => {
  const world = await makePharmacy(server.current)
  const uid = await world.order({ status })
  const patch = (path: string, body: object = {}) => world.call("PATCH", `/pharmacy_orders/${uid}/${path}`, { body })
  return { world, uid, patch }
}

test("each step without effects outside is undone, with the tracking number that it set; Rule 10.4.20", async () => {
  const { world, uid, patch } = await scene()
  for (const [status, before] of [
    ["accepted", "new"],
    ["in_preparation", "accepted"],
    ["ready_for_pickup", "in_preparation"]
  ]) {
    const moved = await patch("status", { status })
    expect(moved.body.undo).toMatchObject({ status: before })
    expect(await patch("undo")).toMatchObject({ status: 200, body: { status: before, undo: null } })
    expect((await patch("status", { status })).status).toBe(200)
    if (status === "ready_for_pickup") await patch("undo")
  }
  const tracking = { carrier: "DHL", number: "JJD1" }
  expect((await patch("status", { status: "shipped", tracking })).body.tracking).toEqual(tracking)
  expect(await patch("undo")).toMatchObject({ status: 200, body: { status: "in_preparation", tracking: null } })
  expect(await patch("undo")).toMatchObject({ status: 409, body: { code: "nothing_to_undo" } })
  const events = await eventsIn(server.current, world.pharmacy_uid)
  expect(events.at(-1)).toMatchObject({ type: "pharmacy_order.status_updated" })
  expect((await world.call("GET", `/pharmacy_orders/${uid}`)).body.status).toBe("in_preparation")
})

test("a rejected order stays rejected, and a step of more than ten seconds ago stays taken; Rule 10.4.20", async () => {
  const { patch } = await scene()
  await patch("status", { status: "accepted" })
  await server.current.advance(12)
  expect((await patch("undo")).status).toBe(409)
  const other = await scene()
  await other.patch("status", { status: "rejected", reason: "gone" })
  expect((await other.patch("undo")).status).toBe(409)
})

test("missing articles and a message are reported, checked against the lines, and over once emptied; Rule 10.4.21", async () => {
  const { world, uid, patch } = await scene("accepted")
  const { body } = await world.call("GET", `/pharmacy_orders/${uid}`)
  const [line] = body.lines
  const missing = [{ line_uid: line.uid, quantity: line.quantity }]
  const reported = await patch("problem", { message: "Ab Freitag", missing })
  expect(reported).toMatchObject({
    status: 200,
    body: { status: "accepted", problem: { message: "Ab Freitag", missing } }
  })
  const wrong = [
    { line_uid: "nope", quantity: 1 },
    { line_uid: line.uid, quantity: line.quantity + 1 }
  ]
  expect(await patch("problem", { missing: wrong })).toMatchObject({
    status: 400,
    body: {
      error: ["missing[0].line_uid: is no line of this order", `missing[1].quantity: must be at most ${line.quantity}`]
    }
  })
  expect((await patch("problem", {})).body.problem).toBeNull()
})
