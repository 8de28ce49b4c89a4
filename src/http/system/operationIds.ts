/** Names of the operations in the OpenAPI document, which generators make functions of: a verb and what it is done to. */

/** What a group is about, for its endpoints that are called as these verbs: one, and several. */
const nouns: Readonly<Record<string, readonly [one: string, several: string]>> = {
  "management.appointments": ["Appointment", "Appointments"],
  "management.appointment_types": ["AppointmentType", "AppointmentTypes"],
  "management.reminders": ["Reminder", "Reminders"],
  "management.availability_rules": ["AvailabilityRule", "AvailabilityRules"],
  "management.date_overrides": ["DateOverride", "DateOverrides"],
  "management.notification_subscriptions": ["NotificationSubscription", "NotificationSubscriptions"],
  "management.prescriptions": ["Prescription", "Prescriptions"],
  "organisation.settings": ["Organisation", "Organisations"],
  "organisation.doctors": ["Doctor", "Doctors"],
  "organisation.shops": ["Shop", "Shops"],
  "organisation.patients": ["Patient", "Patients"],
  "admin.api_keys": ["ApiKey", "ApiKeys"],
  "admin.secrets": ["BookingTokenSecret", "BookingTokenSecrets"],
  "admin.legacy_secrets": ["OrganisationBookingTokenSecret", "OrganisationBookingTokenSecrets"],
  "pharmacy.skus": ["PharmacySku", "PharmacySkus"],
  "pharmacy.webhooks": ["PharmacyWebhook", "PharmacyWebhooks"],
  "pharmacy.orders": ["PharmacyOrder", "PharmacyOrders"],
  requests: ["Request", "Requests"],
  sandbox: ["SandboxClock", "SandboxClocks"]
}

const verbs: Readonly<Record<string, readonly [verb: string, noun: 0 | 1]>> = {
  list: ["list", 1],
  one: ["get", 0],
  get: ["get", 0],
  create: ["create", 0],
  update: ["update", 0],
  updateAll: ["update", 1],
  remove: ["delete", 0],
  reveal: ["get", 0],
  provision: ["create", 0],
  revoke: ["revoke", 0],
  cancel: ["cancel", 0],
  complete: ["complete", 0],
  render: ["render", 0],
  read: ["get", 0],
  move: ["move", 0]
}

/** Endpoints that are called otherwise. */
const others: Readonly<Record<string, string>> = {
  "management.appointments.book": "bookAppointment",
  "management.appointment_actions.cancel": "cancelAppointment",
  "management.appointment_actions.bulk_cancel": "cancelAppointments",
  "management.appointment_actions.complete": "completeAppointment",
  "management.appointment_actions.no_show": "markAppointmentNoShow",
  "management.appointment_actions.issue_link": "createActionLink",
  "management.doctors.list": "listBookableDoctors",
  "management.doctors.settings": "listDoctorSettings",
  "management.doctors.put_setting": "putDoctorSetting",
  "management.doctors.remove_setting": "deleteDoctorSetting",
  "management.events.feed": "listEvents",
  "management.notification_subscriptions.rotateSecret": "rotateNotificationSubscriptionSecret",
  "management.notification_subscriptions.test": "testNotificationSubscription",
  "management.notification_subscriptions.deliveries": "listNotificationDeliveries",
  "management.notification_subscriptions.delivery": "getNotificationDelivery",
  "management.notification_subscriptions.replay": "replayNotificationDelivery",
  "management.prescriptions.external_sign": "signPrescriptionExternally",
  "patient.booking.appointment_types": "listPublicAppointmentTypes",
  "patient.booking.search": "searchSlots",
  "patient.booking.open_session": "createBookingSession",
  "patient.booking.session": "getBookingSession",
  "patient.booking.hold": "createSessionHold",
  "patient.booking.book": "bookSessionAppointment",
  "patient.booking.confirm": "confirmSessionHold",
  "patient.appointments.cancel": "cancelPatientAppointment",
  "patient.appointments.rebook": "rebookPatientAppointment",
  "patient.appointments.join": "joinPatientAppointment",
  "patient.appointments.hold": "createHold",
  "patient.appointments.confirm_hold": "confirmHold",
  "patient.action_links.context": "getActionLink",
  "patient.action_links.join": "joinByActionLink",
  "patient.action_links.cancel": "cancelByActionLink",
  "patient.action_links.rebook_session": "rebookByActionLink",
  "doctor.appointments": "listOwnAppointments",
  "doctor.join": "joinOwnAppointment",
  "doctor.complete": "completeOwnAppointment",
  "doctor.no_show": "markOwnAppointmentNoShow",
  "doctor.rules": "listOwnAvailabilityRules",
  "doctor.create_rule": "createOwnAvailabilityRule",
  "doctor.change_rule": "updateOwnAvailabilityRule",
  "doctor.remove_rule": "deleteOwnAvailabilityRule",
  "doctor.day.waiting": "listWaitingPatients",
  "doctor.day.patient": "getOwnPatient",
  "doctor.day.follow_up": "bookFollowUp",
  "doctor.day.note": "getAppointmentNote",
  "doctor.day.write_note": "putAppointmentNote",
  "doctor.day.overrides": "listOwnDateOverrides",
  "doctor.day.create_override": "createOwnDateOverride",
  "doctor.day.remove_override": "deleteOwnDateOverride",
  "doctor.day.prescriptions": "listWaitingPrescriptions",
  "doctor.day.render": "renderWaitingPrescription",
  "doctor.day.sign": "signWaitingPrescription",
  "admin.scheduling.appointments": "listAdminAppointments",
  "admin.scheduling.cancel": "cancelAdminAppointment",
  "admin.scheduling.reminders": "listAdminReminders",
  "admin.scheduling.create_reminder": "createAdminReminder",
  "admin.scheduling.change_reminder": "updateAdminReminder",
  "admin.scheduling.remove_reminder": "deleteAdminReminder",
  "admin.scheduling.rules": "listAdminAvailabilityRules",
  "management.reports.statistics": "getStatistics",
  "management.reports.messages": "listMessages",
  "management.reports.preview": "previewMessage",
  "operator.status": "getInstallationStatus",
  "operator.queues": "listJobQueues",
  "operator.dead_letters": "listDeadLetters",
  "operator.retry": "retryDeadLetter",
  "operator.settle": "deleteDeadLetter",
  "operator.webhooks": "listWebhookBacklog",
  "operator.parked_payouts": "listParkedPayouts",
  "operator.resume_payouts": "resumeParkedPayouts",
  "operator.waiting_orders": "listWaitingOrders",
  "operator.retry_orders": "retryWaitingOrders",
  "operator.provision": "applyProvisioningFile",
  "management.audit.export": "exportAuditLog",
  "operator.audit_log": "listAuditLogOfOwner",
  "development_issuer.configuration": "getIssuerConfiguration",
  "development_issuer.jwks": "getIssuerKeys",
  "pharmacy.skus.products": "listPharmacyProducts",
  "pharmacy.skus.updateStock": "updatePharmacySkuStock",
  "pharmacy.skus.updateExternalId": "updatePharmacySkuExternalId",
  "pharmacy.webhooks.feed": "listPharmacyEvents",
  "pharmacy.webhooks.rotateSecret": "rotatePharmacyWebhookSecret",
  "pharmacy.webhooks.test": "testPharmacyWebhook",
  "pharmacy.webhooks.deliveries": "listPharmacyDeliveries",
  "pharmacy.webhooks.delivery": "getPharmacyDelivery",
  "pharmacy.webhooks.replay": "replayPharmacyDelivery",
  "pharmacy.orders.changeStatus": "updatePharmacyOrderStatus",
  "pharmacy.orders.payouts": "listPayouts",
  "prescription_files.download": "downloadPrescriptionFile",
  "checkout.prescriptions": "createPrescriptionCheckout",
  "checkout.treatments": "createTreatmentCheckout",
  "checkout.reserve": "createReservation",
  "checkout.orders": "getPrescriptionOrders",
  "storefront.webhook": "receiveStorefrontWebhook"
}

const words = (text: string) => text.split(/[._]/).filter((word) => word !== "")
const pascal = (text: string) =>
  words(text)
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join("")
const camel = (text: string) => pascal(text).replace(/^./, (letter) => letter.toLowerCase())

/** The operation's name; `group.endpoint` as the contracts call them. One that no table knows is its endpoint and group. */
export const operationIdOf = (id: string): string => {
  const [group, endpoint] = [id.slice(0, Math.max(0, id.lastIndexOf("."))), id.slice(id.lastIndexOf(".") + 1)]
  const other = others[id]
  if (other !== undefined) return other
  const [verb, noun] = verbs[endpoint] ?? [camel(endpoint), 0]
  return verb + (nouns[group]?.[noun] ?? pascal(group.slice(group.lastIndexOf(".") + 1)))
}
