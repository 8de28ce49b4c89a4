import { expect, test } from "bun:test"
import {
  AppointmentStatus,
  AppointmentTrigger,
  appointmentTransitions,
  describeTrigger,
  transition
} from "../../src/schemas/scheduling/AppointmentStates.ts"

/** The transitions of Rule 4.2, independent of the table in the code; every other pair is refused. */
const lawful: Record<AppointmentStatus, Partial<Record<AppointmentTrigger, AppointmentStatus>>> = {
  held: { expire: "expired", confirm: "confirmed", cancel: "cancelled" },
  confirmed: {
    confirm: "confirmed",
    cancel: "cancelled",
    rebook: "cancelled",
    complete: "completed",
    no_show: "no_show",
    reopen: "confirmed"
  },
  expired: { confirm: "confirmed" },
  cancelled: {},
  completed: { reopen: "confirmed" },
  no_show: { reopen: "confirmed" }
}

test("the transitions are those of Rule 4.2, and an operation's description names its own", () => {
  const pairs = AppointmentStatus.literals.flatMap((status) =>
    AppointmentTrigger.literals.map((trigger) => [status, trigger] as const)
  )
  expect(pairs.map(([status, trigger]) => [status, trigger, transition(status, trigger)])).toEqual(
    pairs.map(([status, trigger]) => [status, trigger, lawful[status][trigger] ?? "refused"])
  )
  expect(describeTrigger("rebook")).toContain("`confirmed` → `cancelled`")
  expect(describeTrigger("expire")).not.toContain("confirmed")
})

test("the documentation's table matches the code", async () => {
  const text = await Bun.file("docs/appointments.md").text()
  const rows = [...text.matchAll(/^\| `(\w+)` *\| `(\w+)` *\| `(\w+)` *\| (.*?) *\|$/gm)].map(
    ([, from, trigger, to, condition]) => ({ from, trigger, to, condition })
  )
  expect(rows).toEqual(appointmentTransitions.map((row) => ({ ...row })))
})
