import { describe, expect, test } from "bun:test"
import {
  AppointmentStatus,
  AppointmentTrigger,
  appointmentTransitions,
  describeTrigger,
  transition
} from "../../src/schemas/scheduling/AppointmentStates.ts"

/** The expected transition for every pair of Rule 4.2, independent of the table in the code. */
const lawful: Record<AppointmentStatus, Record<AppointmentTrigger, AppointmentStatus | "refused">> = {
  held: {
    expire: "expired",
    confirm: "confirmed",
    cancel: "cancelled",
    rebook: "refused",
    complete: "refused",
    no_show: "refused"
  },
  confirmed: {
    expire: "refused",
    confirm: "confirmed",
    cancel: "cancelled",
    rebook: "cancelled",
    complete: "completed",
    no_show: "no_show"
  },
  expired: {
    expire: "refused",
    confirm: "confirmed",
    cancel: "refused",
    rebook: "refused",
    complete: "refused",
    no_show: "refused"
  },
  cancelled: {
    expire: "refused",
    confirm: "refused",
    cancel: "refused",
    rebook: "refused",
    complete: "refused",
    no_show: "refused"
  },
  completed: {
    expire: "refused",
    confirm: "refused",
    cancel: "refused",
    rebook: "refused",
    complete: "refused",
    no_show: "refused"
  },
  no_show: {
    expire: "refused",
    confirm: "refused",
    cancel: "refused",
    rebook: "refused",
    complete: "refused",
    no_show: "refused"
  }
}

describe("the life of an appointment", () => {
  for (const status of AppointmentStatus.literals) {
    for (const trigger of AppointmentTrigger.literals) {
      test(`${status}, ${trigger}: ${lawful[status][trigger]}`, () =>
        expect(transition(status, trigger)).toBe(lawful[status][trigger]))
    }
  }

  test("an operation's description names its transitions", () => {
    expect(describeTrigger("rebook")).toContain("`confirmed` → `cancelled`")
    expect(describeTrigger("expire")).not.toContain("confirmed")
  })
})

test("the documentation's table matches the code", async () => {
  const text = await Bun.file("docs/appointments.md").text()
  const rows = [...text.matchAll(/^\| `(\w+)` *\| `(\w+)` *\| `(\w+)` *\| (.*?) *\|$/gm)].map(
    ([, from, trigger, to, condition]) => ({ from, trigger, to, condition })
  )
  expect(rows).toEqual(appointmentTransitions.map((row) => ({ ...row })))
})
