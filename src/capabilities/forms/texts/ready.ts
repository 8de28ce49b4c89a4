/** Forms that a practice copies by one press, and how they are written. */
import type { NewForm } from "../schemas/Form.ts"

type Item = (typeof NewForm.Encoded)["items"][number]

type Both = readonly [de: string, en: string]
const said = ([de, en]: Both) => ({ de, en })
export const ask = (link_id: string, type: Item["type"], text: Both, more: Partial<Item> = {}): Item => ({
  link_id,
  type,
  text: said(text),
  ...more
})
export const ifYes = (link_id: string) => ({ enable_when: [{ link_id, operator: "=" as const, answer: true }] })
const choice = (...options: ReadonlyArray<readonly [code: string, ...Both]>) => ({
  options: options.map(([code, ...text]) => ({ code, text: said(text) }))
})
export const required = { required: true } as const

export const readyForms = {
  anamnesis: {
    title: { de: "Anamnese", en: "Medical history" },
    items: [
      ask("complaint", "text", ["Weshalb kommen Sie zu uns?", "Why do you come to us?"], required),
      ask("conditions", "text", ["Welche Erkrankungen sind bekannt?", "Which conditions are known?"]),
      ask("medicines", "boolean", ["Nehmen Sie regelmäßig Medikamente?", "Do you take medicines regularly?"], required),
      ask("which_medicines", "text", ["Welche, und wie oft?", "Which, and how often?"], ifYes("medicines")),
      ask("allergies", "boolean", ["Haben Sie Allergien?", "Do you have allergies?"], required),
      ask("which_allergies", "text", ["Wogegen?", "To what?"], ifYes("allergies")),
      ask(
        "smoking",
        "choice",
        ["Rauchen Sie?", "Do you smoke?"],
        choice(["never", "nie", "never"], ["before", "früher", "in the past"], ["yes", "ja", "yes"])
      )
    ]
  },
  skin: {
    title: { de: "Hautveränderung", en: "Skin" },
    items: [
      ask("place", "string", ["Wo ist die Stelle?", "Where is it?"], required),
      ask("since", "choice", ["Seit wann?", "Since when?"], {
        ...required,
        ...choice(
          ["days", "seit Tagen", "for days"],
          ["weeks", "seit Wochen", "for weeks"],
          ["longer", "länger", "longer"]
        )
      }),
      ask("symptoms", "choice", ["Was bemerken Sie?", "What do you notice?"], {
        repeats: true,
        ...choice(
          ["itching", "Juckreiz", "itching"],
          ["pain", "Schmerz", "pain"],
          ["bleeding", "Blutung", "bleeding"],
          ["growing", "wird größer", "growing"]
        )
      }),
      ask("treated", "boolean", ["Haben Sie schon etwas dagegen genommen?", "Have you already taken anything for it?"]),
      ask("with_what", "text", ["Was, und hat es geholfen?", "What, and did it help?"], ifYes("treated"))
    ]
  },
  follow_up: {
    title: { de: "Verlauf", en: "Follow-up" },
    items: [
      ask("how", "choice", ["Wie geht es Ihnen seit dem letzten Termin?", "How have you been since the last visit?"], {
        ...required,
        ...choice(
          ["better", "besser", "better"],
          ["same", "unverändert", "unchanged"],
          ["worse", "schlechter", "worse"]
        )
      }),
      ask("what_worse", "text", ["Was ist schlechter?", "What is worse?"], {
        enable_when: [{ link_id: "how", operator: "=", answer: "worse" }]
      }),
      ask(
        "taken",
        "boolean",
        ["Nehmen Sie Ihre Medikamente wie verordnet?", "Do you take your medicines as prescribed?"],
        required
      ),
      ask("side_effects", "text", ["Haben Sie Nebenwirkungen bemerkt?", "Have you noticed side effects?"]),
      ask("questions", "text", ["Was möchten Sie besprechen?", "What would you like to discuss?"])
    ]
  }
} as const satisfies Readonly<Record<string, typeof NewForm.Encoded>>
