/** Texts of messages, without mails. */
import { expect, test } from "bun:test"
import { wordingOf } from "../../src/services/notifications/wording.ts"

const greeting = (display_name: string, language: "de" | "en" | "ru" | "ar", own?: string) =>
  wordingOf(
    "reminder",
    { role: "patient", language, display_name },
    {
      name: "Practice",
      message_texts:
        own === undefined
          ? []
          : [
              {
                kind: "reminder",
                language: "de",
                subject: null,
                greeting: own,
                opening: null,
                closing: null,
                sms: null
              }
            ]
    },
    {}
  ).greeting

test("a recipient is greeted by name, and without a name where none is known", () => {
  expect([greeting("Kim Muster", "de"), greeting("", "de")]).toEqual(["Guten Tag Kim Muster,", "Guten Tag,"])
  expect([greeting("", "en"), greeting("", "ru"), greeting("", "ar")]).toEqual([
    "Hello,",
    "Здравствуйте!",
    "تحية طيبة،"
  ])
  expect([greeting("Kim", "de", "Hallo {name}!"), greeting("", "de", "Hallo {name}!")]).toEqual([
    "Hallo Kim!",
    "Hallo!"
  ])
  expect(greeting("", "de", "Hallo, {name}: ihr Termin")).toBe("Hallo: ihr Termin")
})
