/** A practice's own texts of messages to patients, by kind and language. Rules 6.7.9 and 7.8.5. */
import { expect, test } from "bun:test"
import { messageLanguages, messagePartNames, placesIn } from "../../src/schemas/notifications/MessageText.ts"
import { allNoticeKinds } from "../../src/schemas/notifications/notices.ts"
import { standardTexts } from "../../src/texts/standardTexts.ts"
import { mailTo } from "../support/codes.ts"
import { someOf } from "../support/scale.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, random } from "../support/world.ts"

const server = testServer()
const ORGANISATION = "/v1/management/organisation"
const own = { kind: "confirmation", language: "de" }

test("the standard texts use known placeholders only", () => {
  for (const kind of allNoticeKinds())
    for (const language of messageLanguages)
      for (const part of messagePartNames) {
        const used = standardTexts(kind, language)[part].match(/\{\w+\}/g) ?? []
        expect(placesIn(kind, part).map((place) => `{${place}}`)).toEqual(expect.arrayContaining(used))
      }
})

test("a patient's mail has the practice's texts in the patient's language, with the values of their placeholders", async () => {
  const world = await makeWorld(server.current, { doctors: 1, organisation: { messages: ["confirmation"] } })
  const texts = {
    ...own,
    subject: "{organisation}: bis bald, {name}",
    opening: "schön, dass Sie kommen.\nBitte bringen Sie am {when} Ihre Karte mit.",
    closing: "Ihr Team"
  }
  const changed = await world.api("PATCH", ORGANISATION, { message_texts: [texts] })
  expect(changed.body.message_texts).toEqual([{ ...texts, greeting: null, sms: null }])
  const book = async (language: string) => {
    const email = `${random("ada")}@example.org`
    const profile = { first_name: "Ada", last_name: "Meyer", email, language }
    const patient = await world.api("POST", "/v1/management/patients", { shop_uid: world.shop_uid, profile })
    const booked = await world.bookByKey({
      patient_uid: patient.body.uid,
      doctor_uid: world.doctors[0],
      start_date: inDays(3, language === "de" ? 9 : 10)
    })
    expect(booked).toMatchObject({ status: 201 })
    return await mailTo(server.current, email)
  }
  const german = await book("de")
  expect(german?.subject).toMatch(/: bis bald, Ada Meyer$/)
  expect(german?.text).toContain("Guten Tag Ada Meyer,\n\nschön, dass Sie kommen.\nBitte bringen Sie am ")
  expect(german?.text).not.toContain("{when}")
  expect(german?.text).toContain("Ihr Team")
  const english = await book("en")
  expect(english?.subject).toStartWith("Appointment confirmed: ")
})

test("an unknown placeholder is named, and a text message that leads to a page needs its link", async () => {
  const world = await makeWorld(server.current)
  const refused = async (text: object) => {
    const answer = await world.api("PATCH", ORGANISATION, { message_texts: [{ ...own, ...text }] })
    expect(answer.status).toBe(400)
    return answer.body.error
  }
  expect(await refused({ opening: "am {datum} um {when}" })).toEqual([
    "message_texts[0].opening: {datum} is not a placeholder; those of this text are {name}, {organisation}, {when}, {counterpart}"
  ])
  expect(await refused({ subject: "{when" })).toEqual([expect.stringContaining("{when is not a placeholder")])
  expect(await refused({ kind: "recall", sms: "Bitte rufen Sie an." })).toEqual([
    "message_texts[0].sms: must contain {url}"
  ])
  expect(await refused({ kind: "recall", opening: "Hier: {url}" })).toEqual([
    expect.stringContaining("{url} is not a placeholder")
  ])
  expect(await refused({ subject: "x".repeat(201) })).toEqual([expect.stringContaining("at most 200")])
  const twice = await world.api("PATCH", ORGANISATION, { message_texts: [own, own] })
  expect(twice.body.error).toEqual(["message_texts[1].kind: has its texts in this language already"])
  expect((await world.api("GET", ORGANISATION)).body.message_texts).toEqual([])
})

test("every kind has a preview in every language, as mail and as text message", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const pairs = allNoticeKinds().flatMap((kind) => messageLanguages.map((language) => ({ kind, language })))
  // by this step each kind and each language
  for (const pair of someOf(pairs, messageLanguages.length - 1)) {
    const texts = { ...pair, opening: "Grüße aus {organisation}" }
    const { status, body } = await world.api("POST", "/v1/management/messages/preview", texts)
    expect(status).toBe(200)
    expect(body.text).toContain("Grüße aus ")
    expect(JSON.stringify(body)).not.toMatch(/\{\w+\}/)
    expect(body.sms.length).toBeGreaterThan(20)
  }
  expect((await world.api("GET", ORGANISATION)).body.message_texts).toEqual([])
})
