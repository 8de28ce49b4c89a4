import { Effect } from "effect"
import { Hours } from "../../../pages/console/parts/Hours.tsx"
import { Webhooks } from "../../../pages/console/parts/Webhooks.tsx"
import { AccessPage } from "../../../pages/console/practice/AccessPage.tsx"
import { HoursPage } from "../../../pages/console/practice/HoursPage.tsx"
import { PeoplePage, TypesPage } from "../../../pages/console/practice/SettingsPages.tsx"
import { notificationTypes } from "../../../schemas/events/Subscription.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { AppointmentTypeUid, DoctorUid, SubscriptionUid } from "../../../schemas/ids.ts"
import type { Reminder } from "../../../schemas/scheduling/Reminder.ts"
import { DAY } from "../../../schemas/seconds.ts"
import type { Visitor } from "../serving/Console.tsx"
import { payloadOf } from "../serving/deliveries.ts"
import { effectsOf, wantedException } from "../serving/exceptions.ts"
import { choicesOf, chosenOf, freeTimes } from "./choices.ts"

const PAGE_SIZE = 200

export const hours = Effect.fn("console.hours")(function* (visitor: Visitor) {
  const { api, now, query, texts } = visitor
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
  const wanted = wantedException(query, overrides)
  const effects = yield* effectsOf(doctor === "" ? null : wanted, {
    preview: (payload) => api["management.date_overrides"].preview({ path, payload }),
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
  const free = yield* freeTimes(visitor, shop, {
    type: chosenOf(types, query.get("type")),
    doctor,
    from: now,
    to: now + 7 * DAY
  })
  return {
    title: texts.practice.pages.hours,
    zone,
    body: (
      <HoursPage doctors={doctors} doctor={doctor} free={free}>
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

export const types = Effect.fn("console.types")(function* ({ api, language, query, texts }: Visitor) {
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
      : yield* api["management.reports"].preview({
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

export const people = Effect.fn("console.people")(function* ({ api, texts }: Visitor) {
  const { data } = yield* api["organisation.doctors"].list({ urlParams: { page: 0, limit: PAGE_SIZE } })
  const organisation = yield* api["organisation.settings"].one({})
  return {
    title: texts.practice.pages.people,
    live: false,
    body: <PeoplePage doctors={data} organisation={organisation} />
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

export const webhooks = Effect.fn("console.webhooks")(function* ({ api, query, texts }: Visitor) {
  const { data } = yield* api["management.notification_subscriptions"].list({ urlParams: {} })
  const chosen = query.get("subscription")
  const deliveries =
    chosen === null
      ? []
      : (yield* api["management.notification_subscriptions"].deliveries({
          path: { subscription_uid: SubscriptionUid.make(chosen) },
          urlParams: { page: 0, limit: 30 }
        })).data
  const payload = yield* payloadOf(query, deliveries, (delivery_uid) =>
    api["management.notification_subscriptions"].delivery({
      path: { subscription_uid: SubscriptionUid.make(chosen ?? ""), delivery_uid }
    })
  )
  return {
    title: texts.practice.pages.webhooks,
    body: (
      <Webhooks
        path="/v1/management/notification-subscriptions"
        suffix=""
        title={texts.practice.pages.webhooks}
        subscriptions={data.map((one) => ({ ...one, types: one.notification_types }))}
        typesField="notification_types"
        types={notificationTypes}
        chosen={chosen}
        deliveries={deliveries}
        payload={payload}
      />
    )
  }
})
