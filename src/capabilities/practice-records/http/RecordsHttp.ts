/** Handlers of a practice's records: each calls one service. */
import { Effect, flow, Layer, Option, Schema } from "effect"
import { Conditional, listTags, recordTags } from "../../../http/conditional.ts"
import { asKey, CurrentAdmin, inOrganisation, mayActForPatients } from "../../../http/credentials/credentials.ts"
import { groupOf } from "../../../http/group.ts"
import { inData } from "../../../http/inData.ts"
import { doctorOf } from "../../../http/management/practice/kinds.ts"
import { below, byKey, listedRecords, pagedRecords, wholeRecords } from "../../../http/records.ts"
import { Patient, PatientQuery } from "../../../schemas/access/Patient.ts"
import type { ResourceUid } from "../../../schemas/ids.ts"
import { Listed, ListQuery } from "../../../schemas/paging.ts"
import { ResourceRule } from "../../../schemas/scheduling/Availability.ts"
import { DateOverrideQuery, ResourceOverride } from "../../../schemas/scheduling/DateOverride.ts"
import { Doctor, DoctorQuery } from "../../../schemas/scheduling/Doctor.ts"
import { DoctorSummary } from "../../../schemas/scheduling/DoctorSummary.ts"
import { Resource } from "../../../schemas/scheduling/Resource.ts"
import { ApiKeys, type KeyOwner } from "../../../services/access/ApiKeys.ts"
import { EventLog } from "../../../services/events/EventLog.ts"
import { Consents } from "../../../services/patients/Consents.ts"
import { FreedTime } from "../../../services/scheduling/booking/FreedTime.ts"
import { ResourceRules } from "../../../services/scheduling/practice/AvailabilityRules.ts"
import { ResourceOverrides } from "../../../services/scheduling/practice/DateOverrides.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { Resources } from "../../../services/scheduling/practice/Resources.ts"
import { RecordsApi } from "../../shared/http/records/RecordsApi.ts"
import { DoctorSetting } from "../../shared/schemas/DoctorSetting.ts"
import { WholeOrganisation } from "../../shared/schemas/Organisation.ts"
import type { NewPatient, PatientChanges } from "../../shared/schemas/PatientBodies.ts"
import { Shop, ShopQuery } from "../../shared/schemas/Shop.ts"
import { DoctorSettings } from "../../shared/services/DoctorSettings.ts"
import { Organisations } from "../../shared/services/Organisations.ts"
import { PatientRecords } from "../../shared/services/patients/PatientRecords.ts"
import { Rectification } from "../../shared/services/patients/Rectification.ts"
import { ShopRecords } from "../services/ShopRecords.ts"

const group = groupOf(RecordsApi)

const summaries = listTags(Listed(DoctorSummary), ListQuery)
/** A missing setting has the tag of null. */
const settingHandling = listedRecords(DoctorSetting, ListQuery, Schema.NullOr(DoctorSetting))

const DoctorsHttp = group("management.doctors", (handlers) =>
  Effect.gen(function* () {
    const doctors = yield* Doctors
    const service = yield* DoctorSettings
    const settings = settingHandling(
      { list: service.list, findForChange: flow(service.findForChange, Effect.map(Option.getOrNull)) },
      yield* Conditional,
      below(byKey, doctorOf),
      "appointment_type_uid"
    )
    return handlers
      .handle("list", ({ urlParams }) =>
        summaries.tagged(inData(inOrganisation((owner) => doctors.list(owner, urlParams))), urlParams)
      )
      .handle("settings", settings.list)
      .handle("put_setting", settings.update(service.put))
      .handle("remove_setting", settings.remove(service.remove))
  })
).pipe(Layer.provide([Doctors.Default, DoctorSettings.Default]))

const resourceHandling = wholeRecords(Resource)

const ResourcesHttp = group("management.resources", (handlers) =>
  Effect.gen(function* () {
    const service = yield* Resources
    const resources = resourceHandling(service, yield* Conditional, byKey, "resource_uid")
    return handlers
      .handle("list", resources.list)
      .handle("create", resources.create(service.create))
      .handle("one", resources.read(service.find))
      .handle("update", resources.update(service.update))
      .handle("remove", resources.remove(service.remove))
  })
).pipe(Layer.provide(Resources.Default))

const resourceRuleHandling = wholeRecords(ResourceRule)
const resourceOverrideHandling = pagedRecords(ResourceOverride, DateOverrideQuery)

const ResourceHoursHttp = group("management.resource_hours", (handlers) =>
  Effect.gen(function* () {
    const conditional = yield* Conditional
    const ofResource = below(byKey, ({ resource_uid }: { readonly resource_uid: ResourceUid }) => resource_uid)
    const ruleService = yield* ResourceRules
    const overrideService = yield* ResourceOverrides
    const rules = resourceRuleHandling(ruleService, conditional, ofResource, "rule_uid")
    const overrides = resourceOverrideHandling(overrideService, conditional, ofResource, "override_uid")
    return handlers
      .handle("rules", rules.list)
      .handle("create_rule", rules.create(ruleService.create))
      .handle("change_rule", rules.update(ruleService.update))
      .handle("remove_rule", rules.remove(ruleService.remove))
      .handle("overrides", overrides.list)
      .handle("create_override", overrides.create(overrideService.create))
      .handle("change_override", overrides.update(overrideService.update))
      .handle("remove_override", overrides.remove(overrideService.remove))
  })
).pipe(Layer.provide([ResourceRules.Default, ResourceOverrides.Default]))

const single = recordTags(WholeOrganisation)

const OrganisationHttp = group("organisation.settings", (handlers) =>
  Effect.gen(function* () {
    const organisations = yield* Organisations
    const freed = yield* FreedTime
    const { changeIfMatch } = yield* Conditional
    return handlers
      .handle("one", () => inOrganisation(organisations.find).pipe(single.tagged))
      .handle("update", ({ payload, headers }) =>
        inOrganisation((owner) => {
          const currentTags = { record: Effect.map(organisations.findForChange(owner), single.tagOf) }
          // fewer holidays open time
          return changeIfMatch(
            headers,
            currentTags,
            freed.around(owner, undefined, organisations.update(owner, payload))
          )
        }).pipe(single.tagged)
      )
      .handle("remove_admin", ({ path }) => inOrganisation((owner) => organisations.removeAdmin(owner, path.admin_uid)))
  })
).pipe(Layer.provide([Organisations.Default, FreedTime.Default]))

const doctorHandling = pagedRecords(Doctor, DoctorQuery)

const OrganisationDoctorsHttp = group("organisation.doctors", (handlers) =>
  Effect.zipWith(Doctors, Conditional, (service, conditional) => {
    const doctors = doctorHandling({ ...service, list: service.page }, conditional, byKey, "doctor_uid")
    return handlers
      .handle("list", doctors.list)
      .handle("create", doctors.create(service.create))
      .handle("one", doctors.read(service.find))
      .handle("update", doctors.update(service.update))
      .handle("remove", doctors.remove(service.remove))
  })
).pipe(Layer.provide([Doctors.Default]))

const shopHandling = pagedRecords(Shop, ShopQuery)

const ShopsHttp = group("organisation.shops", (handlers) =>
  Effect.zipWith(ShopRecords, Conditional, (service, conditional) => {
    const shops = shopHandling(service, conditional, byKey, "shop_uid")
    return handlers
      .handle("list", shops.list)
      .handle("create", shops.create(service.create))
      .handle("one", shops.read(service.find))
      .handle("update", shops.update(service.update))
  })
).pipe(Layer.provide([ShopRecords.Default]))

/** A patient for a caller who may change but not read it: the profile has only the fields that the caller sent. */
const writtenOf = ({ profile, ...reference }: Patient, sent: PatientChanges): Patient => ({
  ...reference,
  profile: Object.fromEntries(Object.entries(profile).filter(([field]) => Object.hasOwn(sent.profile ?? {}, field)))
})

const patientHandling = pagedRecords(Patient, PatientQuery)

const PatientsHttp = group("organisation.patients", (handlers) =>
  Effect.map(Effect.all([PatientRecords, Rectification, Conditional]), ([service, rectification, conditional]) => {
    const patients = patientHandling(service, conditional, byKey, "patient_uid")
    return handlers
      .handle("list", patients.list)
      .handle(
        "create",
        patients.create((owner, patient: NewPatient) => asKey(({ actor }) => service.create(owner, actor, patient)))
      )
      .handle("one", patients.read(service.read))
      .handle("update", (request) =>
        asKey(({ organisation_uid: owner, permissions }) => {
          if (permissions.includes("patients:read")) return patients.update(rectification.update)(request)
          const { path, payload, headers } = request
          // Neither an ETag nor a match: it is a hash of the whole record, so a guess of hidden fields could be verified with it
          const hidden = { record: Effect.as(service.findForChange(owner, path.patient_uid), "") }
          const change = rectification.update(owner, path.patient_uid, payload)
          return Effect.map(conditional.changeIfMatch(headers, hidden, change), (patient) =>
            writtenOf(patient, payload)
          )
        })
      )
  })
).pipe(Layer.provide([PatientRecords.Default, Rectification.Default]))

const ConsentsHttp = group("organisation.consents", (handlers) =>
  Effect.map(Consents, (consents) =>
    handlers
      .handle("list", ({ path, urlParams }) =>
        inData(inOrganisation((owner) => consents.list(owner, path.patient_uid, urlParams)))
      )
      .handle("give", (request) =>
        inOrganisation((owner) => consents.give(owner, request.path.patient_uid, request.payload))
      )
      .handle("withdraw", ({ path }) =>
        inOrganisation((owner) => consents.withdraw(owner, path.patient_uid, path.consent_uid))
      )
  )
).pipe(Layer.provide([Consents.Default]))

const EventsHttp = group("management.events", (handlers) =>
  Effect.map(EventLog, (events) =>
    handlers.handle("feed", ({ urlParams }) =>
      asKey(({ organisation_uid, permissions }) =>
        events.feed(organisation_uid, urlParams, mayActForPatients(permissions))
      )
    )
  )
).pipe(Layer.provide(EventLog.Default))

const own = Effect.map(CurrentAdmin, ({ organisation_uid }) => organisation_uid)
const owner = Effect.map(own, (uid): KeyOwner => ({ kind: "organisation", uid }))

const ApiKeysHttp = group("admin.api_keys", (handlers) =>
  Effect.map(ApiKeys, (keys) =>
    handlers
      .handle("list", () => inData(Effect.flatMap(own, keys.listOwn)))
      .handle("create", (request) => Effect.flatMap(owner, (admins) => keys.create(admins, request.payload)))
      .handle("revoke", ({ path }) => Effect.flatMap(owner, (admins) => keys.revoke(path.uid, admins)))
  )
).pipe(Layer.provide([ApiKeys.Default]))

export const RecordsHttp = Layer.mergeAll(
  DoctorsHttp,
  ResourcesHttp,
  ResourceHoursHttp,
  OrganisationHttp,
  OrganisationDoctorsHttp,
  ShopsHttp,
  PatientsHttp,
  ConsentsHttp,
  EventsHttp,
  ApiKeysHttp
)
