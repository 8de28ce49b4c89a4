/** The site's first page. */
import type { SitePage } from "./html.ts"

const ways = [
  [
    "guides/quick-start",
    "Quick start in your language",
    "A confirmed appointment and a verified webhook in TypeScript, Python or PHP: four commands at most."
  ],
  ["guides/booking", "Booking, step by step", "Tokens, launch codes, slots, holds and confirmation with curl."],
  ["guides/moving", "Cancel and move", "What patients may do and when, and what your back end may."],
  ["guides/webhooks", "Webhooks", "Subscribe, verify, replay; every event with its fields."],
  ["guides/prescriptions", "Prescriptions", "Render, sign outside, check out."],
  ["guides/pharmacy", "Pharmacies", "Stock, orders, payouts."],
  [
    "reference",
    "Reference",
    "Every operation with fields, answers and codes, samples in four languages, and a form to try it."
  ],
  ["guides/command-line", "Command line", "Events to your own machine, and events on demand."],
  ["guides/going-live", "Going live", "What to have checked before patients come."]
] as const

export const home: SitePage = {
  path: "",
  title: "Documentation",
  body: `<h1>Sprechstunde for partners</h1>
<p>Telemedicine scheduling, prescriptions and pharmacy integration. All timestamps are Unix seconds, all amounts cents.</p>
<p class="note">This installation is <code>%BASE_URL%</code>. %KEYS_NOTE%</p>
<ul class="cards">${ways.map(([path, label, text]) => `<li><a href="/docs/${path}">${label}</a><p>${text}</p></li>`).join("\n")}</ul>`,
  sections: []
}
