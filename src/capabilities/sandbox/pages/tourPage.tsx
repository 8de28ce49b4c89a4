/** The first page of a demo: six steps through the service, each with a link that opens the thing itself. */

import type { PageContent } from "../../../http/hosted/serving/Respond.tsx"
import type { Visit } from "../../../http/hosted/serving/visit.ts"
import { demo } from "../../shared/services/demo.ts"
import { tourTexts } from "../texts/tour.ts"

type Texts = ReturnType<typeof tourTexts>

/** Signs in as this person of the demo, after one press. */
const signedInAs = (role: string, uid: string, to: string) =>
  `/console/sign-in?${new URLSearchParams({ login_hint: `${role}/${uid}`, to })}`

const { practice } = demo

const request = (method: string, url: string, key: string, body?: string) =>
  [
    `curl ${method === "GET" ? "" : `-X ${method} `}'${url}' \\`,
    `  -H 'X-API-Key: ${key}'${body === undefined ? "" : " \\"}`,
    ...(body === undefined ? [] : [`  -H 'Content-Type: application/json' -d '${body}'`])
  ].join("\n")

interface Step {
  readonly name: keyof Texts["steps"]
  readonly links: ReadonlyArray<{ readonly href: string; readonly text: string }>
  readonly request: string
}

const stepsOf = ({ steps }: Texts, baseUrl: string): ReadonlyArray<Step> => [
  {
    name: "patient",
    links: [
      { href: "/demo/practice", text: steps.patient.open },
      { href: "/demo/appointment", text: steps.patient.more }
    ],
    request: `curl '${baseUrl}/v1/scheduling/appointment-types?shop_uid=${practice.shop}'`
  },
  {
    name: "doctor",
    links: [{ href: signedInAs("doctor", practice.doctor, "/console/doctor"), text: steps.doctor.open }],
    request: request(
      "GET",
      `${baseUrl}/v1/management/scheduling/appointments?doctor_uid=${practice.doctor}&limit=5`,
      practice.managementKey
    )
  },
  {
    name: "practice",
    links: [{ href: signedInAs("admin", practice.organisation, "/console/practice"), text: steps.practice.open }],
    request: request("GET", `${baseUrl}/v1/management/scheduling/waitlist-entries`, practice.managementKey)
  },
  {
    name: "pharmacy",
    links: [{ href: signedInAs("pharmacy", practice.pharmacies[0], "/console/pharmacy"), text: steps.pharmacy.open }],
    request: request("GET", `${baseUrl}/v1/external_pharmacy_api/pharmacy_orders?status=new`, practice.pharmacyKey)
  },
  {
    name: "operator",
    links: [{ href: signedInAs("operator", "operator", "/console/operator"), text: steps.operator.open }],
    request: `curl '${baseUrl}/readyz'`
  },
  {
    name: "partner",
    links: [{ href: "/docs", text: steps.partner.open }],
    request: request(
      "POST",
      `${baseUrl}/v1/scheduling/slots/search`,
      practice.managementKey,
      `{"shop_uid":"${practice.shop}","appointment_type_uid":"${practice.consultation}","from":'$(date +%s)',"to":'$(($(date +%s)+864000))'}`
    )
  }
]

/** A day in the calendar and a call, drawn. */
const Picture = () => (
  <svg class="tour-picture" viewBox="0 0 320 200" aria-hidden="true">
    <rect class="sheet" x="0.5" y="0.5" width="319" height="199" rx="12" />
    {[0, 1, 2, 3, 4, 5].map((hour) => (
      <path key={hour} d={`M14 ${36 + hour * 28}h292`} />
    ))}
    {[
      [44, 40, 34],
      [44, 84, 22],
      [44, 120, 40],
      [132, 50, 22],
      [132, 96, 50],
      [220, 40, 46],
      [220, 128, 28]
    ].map(([x, y, height]) => (
      <rect key={`${x} ${y}`} class="visit" x={x} y={y} width="78" height={height} rx="4" />
    ))}
    <path class="clock" d="M14 108h292" />
    <rect class="due" x="220" y="94" width="78" height="28" rx="4" />
    <circle class="sheet" cx="259" cy="108" r="9" />
    <path class="due" d="M256.500 103.500v9l7-4.500z" />
  </svg>
)

const TourPage = ({ texts, baseUrl }: { readonly texts: Texts; readonly baseUrl: string }) => (
  <div class="stack">
    <div class="card tour">
      <div class="stack">
        <h1>{texts.title}</h1>
        <p>{texts.text}</p>
        <nav class="doors" aria-label={texts.doors}>
          {stepsOf(texts, baseUrl)
            .filter(({ name }) => name === "patient" || name === "practice" || name === "partner")
            .map(({ name, links: [first] }) =>
              first === undefined ? null : (
                <a key={name} class="primary" href={first.href}>
                  {texts.steps[name].title}
                </a>
              )
            )}
        </nav>
      </div>
      <Picture />
    </div>
    {stepsOf(texts, baseUrl).map(({ name, links, request: sent }, index) => (
      <section key={name} class="card" id={name} aria-labelledby={`${name}-title`}>
        <h2 id={`${name}-title`}>{`${index + 1}. ${texts.steps[name].title}`}</h2>
        <p>{texts.steps[name].text}</p>
        <div class="actions">
          {links.map(({ href, text }, i) => (
            <a key={href} class={i === 0 ? "primary" : "secondary"} href={href}>
              {text}
            </a>
          ))}
        </div>
        <details>
          <summary>{texts.sameByInterface}</summary>
          <pre>{sent}</pre>
        </details>
      </section>
    ))}
  </div>
)

/** The root page of a demo. */
export const tourPage = (visit: Visit, baseUrl: string): PageContent => {
  const texts = tourTexts(visit.language)
  return { title: texts.title, body: <TourPage texts={texts} baseUrl={baseUrl} /> }
}
