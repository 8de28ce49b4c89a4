import { Effect } from "effect"
import { seeOther } from "../../../../http/hosted/serving/pageHandler.ts"
import { notificationTypes } from "../../../../schemas/events/Subscription.ts"
import { UnixSeconds } from "../../../../schemas/fields.ts"
import { AppointmentTypeUid, DoctorUid } from "../../../../schemas/ids.ts"
import type { Reminder } from "../../../../schemas/scheduling/Reminder.ts"
import { DAY } from "../../../../schemas/seconds.ts"
import { choicesOf, chosenOf } from "../../../shared/http/choices.ts"
import type { InProcessApi } from "../../../shared/http/InProcessApi.ts"
import { Hours } from "../../pages/parts/Hours.tsx"
import { AccessPage } from "../../pages/practice/AccessPage.tsx"
import { HoursPage } from "../../pages/practice/HoursPage.tsx"
import { PeoplePage } from "../../pages/practice/PeoplePage.tsx"
import { TypesPage } from "../../pages/practice/TypesPage.tsx"
import { WeekForm } from "../../pages/practice/WeekForm.tsx"
import { FormForged, withRefusal } from "../serving/Console.tsx"
import { effectsOf, wantedException } from "../serving/exceptions.ts"
import { clockMinutes, type Fields, valueIn } from "../serving/formFields.ts"
import type { Visitor } from "../serving/visitor.ts"
import { DELIVERIES_SHOWN, webhooksPage } from "../serving/webhooks.tsx"
import { freeTimes, timesOfTypes } from "./freeTimes.ts"

const PAGE_SIZE = 200

export const hours = Effect.fn("console.hours")(function* (visitor: Visitor) {
  const { api, consoleApi, now, query, texts } = visitor
  const { zone, doctors, types, shop } = yield* choicesOf(visitor)
  const doctor = chosenOf(doctors, query.get("doctor"))
  const path = { doctor_uid: DoctorUid.make(doctor) }
  const [rules, overrides] =
    doctor === ""
      ? [[], []]
      : [
          (yield* api["management.availability_rules"].list({ path, urlParams: {} })).data,
          (yield* api["management.date_overrides"].list({ path, urlParams: { page: 0, limit: PAGE_SIZE } })).data
        ]
  const colleagues = doctors.filter(([uid]) => uid !== doctor)
  const asked = colleagues.find(([uid]) => uid === query.get("like"))
  const copied =
    asked === undefined
      ? rules
      : (yield* api["management.availability_rules"].list({
          path: { doctor_uid: DoctorUid.make(asked[0]) },
          urlParams: {}
        })).data
  const wanted = wantedException(query, overrides)
  const effects = yield* effectsOf(doctor === "" ? null : wanted, {
    preview: (payload) => consoleApi["management.practice"].preview_override({ path, payload }),
    booked: (from, to) =>
      Effect.map(
        api["management.appointments"].list({
          urlParams: {
            doctor_uid: path.doctor_uid,
            status: "confirmed",
            from: UnixSeconds.make(from),
            to: UnixSeconds.make(to),
            page: 0,
            limit: PAGE_SIZE
          }
        }),
        ({ data }) => data
      ),
    address: ({ uid }) => `/console/practice/appointments/${encodeURIComponent(uid)}`
  })
  const { free } = yield* timesOfTypes(types, query.get("type"), (type) =>
    freeTimes(visitor, shop, { type, doctor, from: now, to: now + 7 * DAY })
  )
  return {
    title: texts.practice.pages.hours,
    zone,
    body: (
      <HoursPage
        doctors={doctors}
        doctor={doctor}
        free={free}
        week={<WeekForm doctor={doctor} rules={copied} colleagues={colleagues} like={asked?.[0] ?? null} />}
      >
        <Hours
          path={`/v1/management/scheduling/doctors/${doctor}`}
          rules={rules}
          overrides={overrides}
          wanted={wanted}
          effects={effects}
          keep={{ doctor }}
        />
      </HoursPage>
    )
  }
})

/** Replaces a doctor's weekly hours by those of the form. */
export const replaceWeek = Effect.fnUntraced(function* ({ send }: InProcessApi, fields: Fields) {
  const value = valueIn(fields)
  const numberOr = (text: string) => (text === "" || Number.isNaN(Number(text)) ? text : Number(text))
  const rules = [...fields.keys()].flatMap((name) => {
    const [, weekday, index] = /^from\.([0-6])\.(\d)$/.exec(name) ?? []
    const [from, to] = [value(name), value(`to.${weekday}.${index}`)]
    if (weekday === undefined || (from === "" && to === "")) return []
    return [
      {
        weekday: Number(weekday),
        start_time: numberOr(clockMinutes(from)),
        end_time: numberOr(clockMinutes(to)),
        buffer_minutes: numberOr(value("buffer") || "0")
      }
    ]
  })
  const doctor = value("doctor")
  const path = `/v1/management/scheduling/doctors/${encodeURIComponent(doctor)}/availability-rules`
  const operation = `PUT ${path}`
  // a page and its form that name different doctors would write one's hours to the other
  if (value("@operation") !== operation) return yield* new FormForged()
  const address = `/console/practice/hours?${new URLSearchParams({ doctor })}`
  const response = yield* send("PUT", path, { rules }, { version: fields.get("@version")?.[0] })
  if (response.status < 300) return seeOther(`${address}&done=1`)
  return yield* withRefusal(address, operation, response, fields)
})

export const types = Effect.fn("console.types")(function* ({ api, consoleApi, language, query, texts }: Visitor) {
  const { data } = yield* api["management.appointment_types"].list({ urlParams: {} })
  const chosen = data.find(({ uid }) => uid === query.get("type")) ?? null
  const reminders =
    chosen === null
      ? []
      : (yield* api["management.reminders"].list({
          path: { appointment_type_uid: AppointmentTypeUid.make(chosen.uid) },
          urlParams: {}
        })).data
  const { data: resources } =
    chosen === null ? { data: [] } : yield* api["management.resources"].list({ urlParams: {} })
  const { data: doctors } = chosen === null ? { data: [] } : yield* api["management.doctors"].list({ urlParams: {} })
  const doctor = doctors.find(({ uid }) => uid === query.get("doctor"))
  const settings =
    doctor === undefined
      ? []
      : (yield* api["management.doctors"].settings({ path: { doctor_uid: doctor.uid }, urlParams: {} })).data
  const role = ["patient", "doctor", "admin"].find((one) => one === query.get("preview")) as
    | Reminder["recipient_role"]
    | undefined // of the roles
  const mail =
    chosen === null || role === undefined
      ? null
      : yield* consoleApi["management.reports"].preview({
          urlParams: {
            appointment_type_uid: AppointmentTypeUid.make(chosen.uid),
            kind: "reminder",
            recipient_role: role,
            language: language === "de" ? "de" : "en"
          }
        })
  return {
    title: texts.practice.pages.types,
    live: false,
    body: (
      <TypesPage
        types={data}
        chosen={chosen}
        reminders={reminders}
        resources={resources}
        doctors={doctors}
        ofDoctor={
          doctor === undefined
            ? null
            : {
                ...doctor,
                own: settings.find(({ appointment_type_uid }) => appointment_type_uid === chosen?.uid) ?? null
              }
        }
        role={role ?? null}
        mail={mail}
      />
    )
  }
})

export const people = Effect.fn("console.people")(function* ({ api, query, texts }: Visitor) {
  const { data } = yield* api["organisation.doctors"].list({ urlParams: { page: 0, limit: PAGE_SIZE } })
  const organisation = yield* api["organisation.settings"].one({})
  return {
    title: texts.practice.pages.people,
    live: false,
    body: (
      <PeoplePage
        doctors={data}
        organisation={organisation}
        chosen={data.find(({ uid }) => uid === query.get("doctor")) ?? null}
      />
    )
  }
})

export const access = (meetingsUrl: string) =>
  Effect.fn("console.access")(function* ({ api, texts }: Visitor) {
    const { data: keys } = yield* api["admin.api_keys"].list({})
    const { data: secrets } = yield* api["admin.secrets"].list({})
    const organisation = yield* api["organisation.settings"].one({})
    return {
      title: texts.practice.pages.access,
      live: false,
      body: <AccessPage keys={keys} secrets={secrets} organisation={organisation} meetingsUrl={meetingsUrl} />
    }
  })

export const webhooks = Effect.fn("console.webhooks")(function* (visitor: Visitor) {
  const { api } = visitor
  const { data } = yield* api["management.notification_subscriptions"].list({ urlParams: {} })
  return yield* webhooksPage(
    visitor,
    {
      path: "/v1/management/notification-subscriptions",
      suffix: "",
      title: visitor.texts.practice.pages.webhooks,
      subscriptions: data.map((one) => ({ ...one, types: one.notification_types })),
      typesField: "notification_types",
      types: notificationTypes()
    },
    {
      deliveries: (subscription_uid) =>
        api["management.notification_subscriptions"].deliveries({
          path: { subscription_uid },
          urlParams: { page: 0, limit: DELIVERIES_SHOWN }
        }),
      delivery: (subscription_uid, delivery_uid) =>
        api["management.notification_subscriptions"].delivery({ path: { subscription_uid, delivery_uid } })
    }
  )
})
