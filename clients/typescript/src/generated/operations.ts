// SPDX-License-Identifier: Apache-2.0
// Made by `bun script/generate/client.ts` from the OpenAPI document. Changes here are lost.
import type {
  StaffAppointment,
  BookedAppointment,
  StaffCancelledAppointment,
  BulkCancelledAppointments,
  FinishedAppointment,
  AppointmentType,
  NewAppointmentType,
  AppointmentTypeChanges,
  Reminder,
  AvailabilityRule,
  DateOverride,
  NotificationSubscription,
  WebhookDelivery,
  WebhookDeliveryWithPayload,
  Event,
  PharmacyOrder,
  Tracking,
  PharmacySku,
  Recall,
  WaitlistEntry,
  BookingSessionCreated,
  BookingSessionContext,
  Hold,
  ConfirmedAppointment,
  CancelledAppointment,
  RebookedAppointment,
  JoinToken,
  KeyHold,
  PharmacyProduct,
  PharmacyWebhook,
  ListEventsResponse,
  Payout,
  ListedPrescription,
  Prescription,
  PrescriptionCheckoutResult,
  TreatmentCheckoutResult,
  NewReservation,
  OrdersOfPrescription,
  BulkMovedAppointments,
  DoctorAppointmentTypeSetting,
  Resource,
  ResourceAvailabilityRule,
  ResourceDateOverride,
  Organisation,
  MessageText,
  OrganisationChanges,
  Doctor,
  Shop,
  Patient,
  Consent,
  Absence,
  BusySource,
  CalendarConnection,
  WaitlistEntryOffers,
  WaitlistOffer,
  SandboxClock,
  CancelledSeries,
  PatientExport,
  Erased,
  MergedPatient,
  Form,
  EntryState,
  FormFile,
  EntryOutcome,
  AskedForm,
  RequestType,
  ListedPatientRequest,
  RequestCounts,
  ReadPatientRequest,
  PatientRequest,
  FhirClient,
  StaffPerson,
  Calendar,
  DateOverrideEffects,
  ResourceEffects,
  SentMessage,
  MessagePreview,
  MessageTextPreview,
  PatientCard,
  AppointmentNote,
  WaitingPrescription,
  StaffRebookedAppointment,
  CalendarFeed,
  InstallationStatus,
  Owner,
  OrganisationState,
  DeadLetter,
  ProvisioningResult,
  NewGuest,
  AuditEntry,
  ListAppointmentsResponse,
  BookAppointmentRequest,
  CancelAppointmentRequest,
  CancelAppointmentsRequest,
  CreateActionLinkRequest,
  CreateActionLinkResponse,
  ListAppointmentTypesResponse,
  ListRemindersResponse,
  CreateReminderRequest,
  UpdateReminderRequest,
  ListAvailabilityRulesResponse,
  CreateAvailabilityRuleRequest,
  ReplaceAvailabilityRulesRequest,
  UpdateAvailabilityRuleRequest,
  ListDateOverridesResponse,
  CreateDateOverrideRequest,
  UpdateDateOverrideRequest,
  ListNotificationSubscriptionsResponse,
  CreateNotificationSubscriptionRequest,
  CreateNotificationSubscriptionResponse,
  UpdateNotificationSubscriptionRequest,
  RotateNotificationSubscriptionSecretResponse,
  ListNotificationDeliveriesResponse,
  ListPublicAppointmentTypesResponse,
  SearchSlotsRequest,
  SearchSlotsResponse,
  CreateBookingSessionRequest,
  CreateSessionHoldRequest,
  BookSessionAppointmentRequest,
  ConfirmSessionHoldRequest,
  CancelPatientAppointmentRequest,
  RebookPatientAppointmentRequest,
  CreateHoldRequest,
  GetActionLinkResponse,
  BookFollowUpRequest,
  ListArticlesResponse,
  ListBookingTokenSecretsResponse,
  CreateBookingTokenSecretResponse,
  GetBookingTokenSecretResponse,
  ListPharmacyProductsResponse,
  ListPharmacySkusResponse,
  UpdatePharmacySkusRequest,
  UpdatePharmacySkusResponse,
  UpdatePharmacySkuRequest,
  UpdatePharmacySkuStockRequest,
  UpdatePharmacySkuExternalIdRequest,
  ListPharmacyWebhooksResponse,
  CreatePharmacyWebhookRequest,
  CreatePharmacyWebhookResponse,
  ListPharmacyOrdersResponse,
  UpdatePharmacyOrderStatusRequest,
  ReportPharmacyOrderProblemRequest,
  AcceptPharmacyOrderChangeRequest,
  ListPayoutsResponse,
  ListPrescriptionsResponse,
  RenderPrescriptionResponse,
  SignPrescriptionExternallyResponse,
  CancelPrescriptionRequest,
  CancelPrescriptionResponse,
  CreatePrescriptionCheckoutRequest,
  CreateTreatmentCheckoutRequest,
  CreateReservationResponse,
  MoveAppointmentsRequest,
  ListBookableDoctorsResponse,
  ListDoctorSettingsResponse,
  PutDoctorSettingRequest,
  ListResourcesResponse,
  CreateResourceRequest,
  UpdateResourceRequest,
  ListResourceAvailabilityRulesResponse,
  ListResourceDateOverridesResponse,
  ListDoctorsResponse,
  CreateDoctorRequest,
  UpdateDoctorRequest,
  ListShopsResponse,
  CreateShopRequest,
  UpdateShopRequest,
  ListPatientsResponse,
  CreatePatientRequest,
  UpdatePatientRequest,
  ListConsentsResponse,
  GiveConsentsRequest,
  ListApiKeysResponse,
  CreateApiKeyRequest,
  CreateApiKeyResponse,
  ListRequestsResponse,
  ListRecallsResponse,
  CreateRecallRequest,
  UpdateRecallRequest,
  GetRecallStatisticsResponse,
  CreateOwnRecallRequest,
  ListAbsencesResponse,
  CreateAbsenceRequest,
  UpdateAbsenceRequest,
  ListAbsenceAppointmentsResponse,
  AskAgainForAbsenceRequest,
  ListBusySourcesResponse,
  CreateBusySourceRequest,
  UpdateBusySourceRequest,
  ListCalendarConnectionsResponse,
  CreateOwnCalendarConnectionRequest,
  CreateOwnCalendarConnectionResponse,
  UpdateOwnCalendarConnectionRequest,
  ListCalendarProvidersResponse,
  ListDifferingCalendarEntriesResponse,
  ListWaitlistEntriesResponse,
  CreateWaitlistEntryRequest,
  UpdateWaitlistEntryRequest,
  CreateOwnWaitlistEntryRequest,
  MoveSandboxClockRequest,
  BookAppointmentSeriesRequest,
  BookAppointmentSeriesResponse,
  CancelAppointmentSeriesRequest,
  GetStatisticsResponse,
  GetResourceStatisticsResponse,
  ErasePatientRightsRequest,
  MergePatientRequest,
  RestrictPatientRightsRequest,
  ListFormsResponse,
  CreateFormRequest,
  UpdateFormRequest,
  AnswerSessionEntryRequest,
  AnswerIntakeRequest,
  GetAppointmentIntakeResponse,
  ListRequestTypesResponse,
  CreateRequestTypeRequest,
  UpdateRequestTypeRequest,
  ListPatientRequestsResponse,
  AnswerPatientRequestRequest,
  ClosePatientRequestRequest,
  ListOwnPatientRequestsResponse,
  CreateSessionRequestRequest,
  CreateSessionRequestResponse,
  ListFhirClientsResponse,
  CreateFhirClientRequest,
  UpdateFhirClientRequest,
  ListStaffPeopleResponse,
  CreateStaffPersonRequest,
  CreateStaffPersonResponse,
  UpdateStaffPersonRequest,
  CreateStaffTokenResponse,
  PreviewDateOverrideRequest,
  PreviewResourceChangeRequest,
  ListMessagesResponse,
  ListWaitingPatientsResponse,
  AnnounceDelayRequest,
  AnnounceDelayResponse,
  FindOwnPatientsResponse,
  PutAppointmentNoteRequest,
  ListWaitingPrescriptionsResponse,
  CreateOwnPrescriptionRequest,
  MoveOwnAppointmentRequest,
  UploadSignedPrescriptionRequest,
  CreateOwnCalendarFeedResponse,
  ListOwnersResponse,
  ListJobQueuesResponse,
  ListDeadLettersResponse,
  ListWebhookBacklogResponse,
  ReplayWebhookBacklogRequest,
  ReplayWebhookBacklogResponse,
  ListParkedPayoutsResponse,
  ResumeParkedPayoutsRequest,
  ResumeParkedPayoutsResponse,
  ListWaitingOrdersResponse,
  RetryWaitingOrdersResponse,
  ReleaseWaitingOrderRequest,
  ApplyProvisioningFileRequest,
  ListOwnGuestsResponse,
  InviteOwnGuestResponse,
  ListAuditResponse,
  PreviewHolidaysRequest,
  PreviewHolidaysResponse,
  ListHolidaysResponse
} from "./schemas.ts"

/** Every operation: what it takes, what it answers, what a list is made of, and the codes of its refusals. */
export interface Operations {
  /**
   * List appointments
   * By start, then uid. Without filters: held and confirmed from now on; history is `status=all&from=0`. Add `updated_after` for those that have changed since. Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/appointments`
   */
  listAppointments: {
    input: {
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** Opaque identifier */
      patient_uid?: string
      /** If omitted: held and confirmed */
      status?: "held" | "confirmed" | "cancelled" | "expired" | "completed" | "no_show" | "all"
      /** Starting at or after, Unix seconds */
      from?: number
      /** Starting at or before, Unix seconds */
      to?: number
      /** Changed after, Unix seconds */
      updated_after?: number
      /** Opaque identifier */
      doctor_uid?: string
      /** Whether those in which `doctor_uid` is a further doctor are listed too; if omitted: no */
      including_further?: "true" | "false"
      /** Opaque identifier */
      resource_uid?: string
    }
    result: ListAppointmentsResponse
    item: StaffAppointment
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Book an appointment for a patient
   * Confirmed in one step. Without `doctor_uid` the first free doctor in the order of their uids. The patient is identified by `patient_uid`, or by `shop_customer_id`, which creates or updates the patient. The limits of a patient do not apply. Needs the permission `scheduling:write`.
   * `POST /v1/management/scheduling/appointments`
   */
  bookAppointment: {
    input: {
      body: BookAppointmentRequest
    }
    result: BookedAppointment
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_confirmed" | "not_found" | "overloaded" | "patient_restricted" | "slot_taken" | "too_many_appointments" | "too_many_holds" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read an appointment
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/appointments/{appointment_uid}`
   */
  getAppointment: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
    }
    result: StaffAppointment
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Cancel an appointment
   * Allowed: `held` → `cancelled`; `confirmed` → `cancelled` (patients: outside the cancellation notice). From any other status: 409, and nothing changes. The cancellation notice does not apply. Needs the permission `scheduling:admin`.
   * `POST /v1/management/scheduling/appointments/{meeting_uid}/cancel`
   */
  cancelAppointment: {
    input: {
      /** Opaque identifier */
      meeting_uid: string
      body: CancelAppointmentRequest
    }
    result: StaffCancelledAppointment
    item: never
    code: "appointment_cancelled" | "appointment_completed" | "appointment_expired" | "appointment_no_show" | "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Cancel many appointments
   * Every held and confirmed appointment that starts in `[from, to)`, of one doctor or of all, at most 1,000 by start. `skipped` lists those that have changed in the meantime. `dry_run` changes nothing and lists what would be cancelled. Needs the permission `scheduling:admin`.
   * `POST /v1/management/scheduling/appointments/bulk-cancel`
   */
  cancelAppointments: {
    input: {
      body: CancelAppointmentsRequest
    }
    result: BulkCancelledAppointments
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Mark an appointment as completed
   * Allowed: `confirmed` → `completed` (from its start on). From any other status: 409, and nothing changes. Needs the permission `scheduling:admin`.
   * `POST /v1/management/scheduling/appointments/{meeting_uid}/complete`
   */
  completeAppointment: {
    input: {
      /** Opaque identifier */
      meeting_uid: string
    }
    result: FinishedAppointment
    item: never
    code: "appointment_cancelled" | "appointment_completed" | "appointment_expired" | "appointment_held" | "appointment_no_show" | "appointment_not_started" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Mark an appointment as missed by the patient
   * Allowed: `confirmed` → `no_show` (from its start on). From any other status: 409, and nothing changes. Needs the permission `scheduling:admin`.
   * `POST /v1/management/scheduling/appointments/{meeting_uid}/no-show`
   */
  markAppointmentNoShow: {
    input: {
      /** Opaque identifier */
      meeting_uid: string
    }
    result: FinishedAppointment
    item: never
    code: "appointment_cancelled" | "appointment_completed" | "appointment_expired" | "appointment_held" | "appointment_no_show" | "appointment_not_started" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Take back that an appointment is completed or missed
   * Allowed: `completed` → `confirmed` (within 10 minutes, while the join window is open; no other one overlaps); `no_show` → `confirmed` (within 10 minutes, while the join window is open; no other one overlaps); `confirmed` → `confirmed` (a repetition changes nothing). From any other status: 409, and nothing changes. No message goes out. Needs the permission `scheduling:admin`.
   * `POST /v1/management/scheduling/appointments/{meeting_uid}/reopen`
   */
  reopenAppointment: {
    input: {
      /** Opaque identifier */
      meeting_uid: string
    }
    result: FinishedAppointment
    item: never
    code: "appointment_cancelled" | "appointment_expired" | "appointment_held" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "reopening_too_late" | "slot_taken" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Create a link for the patient, for your own mails
   * The code is shown only in this response and is valid until 7 days after the appointment's end. Needs the permission `scheduling:admin`.
   * `POST /v1/management/scheduling/appointments/{meeting_uid}/action-links`
   */
  createActionLink: {
    input: {
      /** Opaque identifier */
      meeting_uid: string
      body: CreateActionLinkRequest
    }
    result: CreateActionLinkResponse
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List appointment types
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/appointment-types`
   */
  listAppointmentTypes: {
    input: {
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListAppointmentTypesResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Create an appointment type
   * Needs the permission `scheduling:admin`.
   * `POST /v1/management/scheduling/appointment-types`
   */
  createAppointmentType: {
    input: {
      body: NewAppointmentType
    }
    result: AppointmentType
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Change an appointment type; only sent fields change
   * Needs the permission `scheduling:admin`.
   * `PATCH /v1/management/scheduling/appointment-types/{appointment_type_uid}`
   */
  updateAppointmentType: {
    input: {
      /** Opaque identifier */
      appointment_type_uid: string
      body?: AppointmentTypeChanges
    }
    result: AppointmentType
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Delete an appointment type
   * It can no longer be booked; existing appointments keep its name. Needs the permission `scheduling:admin`.
   * `DELETE /v1/management/scheduling/appointment-types/{appointment_type_uid}`
   */
  deleteAppointmentType: {
    input: {
      /** Opaque identifier */
      appointment_type_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List reminders of an appointment type
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/appointment-types/{appointment_type_uid}/reminders`
   */
  listReminders: {
    input: {
      /** Opaque identifier */
      appointment_type_uid: string
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListRemindersResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Create a reminder
   * 409 if the role already has a reminder with the same minutes_before. Needs the permission `scheduling:admin`.
   * `POST /v1/management/scheduling/appointment-types/{appointment_type_uid}/reminders`
   */
  createReminder: {
    input: {
      /** Opaque identifier */
      appointment_type_uid: string
      body: CreateReminderRequest
    }
    result: Reminder
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "reminder_exists" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Change a reminder; only sent fields change
   * Needs the permission `scheduling:admin`.
   * `PATCH /v1/management/scheduling/appointment-types/{appointment_type_uid}/reminders/{reminder_uid}`
   */
  updateReminder: {
    input: {
      /** Opaque identifier */
      appointment_type_uid: string
      /** Opaque identifier */
      reminder_uid: string
      body?: UpdateReminderRequest
    }
    result: Reminder
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "reminder_exists" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Delete a reminder
   * Needs the permission `scheduling:admin`.
   * `DELETE /v1/management/scheduling/appointment-types/{appointment_type_uid}/reminders/{reminder_uid}`
   */
  deleteReminder: {
    input: {
      /** Opaque identifier */
      appointment_type_uid: string
      /** Opaque identifier */
      reminder_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List a doctor's availability rules
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/doctors/{doctor_uid}/availability-rules`
   */
  listAvailabilityRules: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListAvailabilityRulesResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Create an availability rule
   * A weekly window on the doctor's wall clock, for one appointment type or for all. Needs the permission `scheduling:admin`.
   * `POST /v1/management/scheduling/doctors/{doctor_uid}/availability-rules`
   */
  createAvailabilityRule: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      body: CreateAvailabilityRuleRequest
    }
    result: AvailabilityRule
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Replace a doctor's weekly hours
   * The rules for all types and without bounds become these, in one step; rules for one type, and those with a bound, stay. Needs the permission `scheduling:admin`.
   * `PUT /v1/management/scheduling/doctors/{doctor_uid}/availability-rules`
   */
  replaceAvailabilityRules: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      body: ReplaceAvailabilityRulesRequest
    }
    result: ListAvailabilityRulesResponse
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Change an availability rule; only sent fields change
   * A bound or the scope is removed by its clear flag, never by null. Needs the permission `scheduling:admin`.
   * `PATCH /v1/management/scheduling/doctors/{doctor_uid}/availability-rules/{rule_uid}`
   */
  updateAvailabilityRule: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      /** Opaque identifier */
      rule_uid: string
      body?: UpdateAvailabilityRuleRequest
    }
    result: AvailabilityRule
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Delete an availability rule
   * Needs the permission `scheduling:admin`.
   * `DELETE /v1/management/scheduling/doctors/{doctor_uid}/availability-rules/{rule_uid}`
   */
  deleteAvailabilityRule: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      /** Opaque identifier */
      rule_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List a doctor's date overrides
   * At most 184 dates, both ends included; a longer range is cut at its end. Without bounds: from today (UTC). Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/doctors/{doctor_uid}/availability-date-overrides`
   */
  listDateOverrides: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** UTC midnight of a calendar date, inclusive */
      from?: number
      /** UTC midnight of a calendar date, inclusive */
      to?: number
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListDateOverridesResponse
    item: DateOverride
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Create a date override
   * A day off deletes the date's windows (a day off of one type: that type's windows); a window deletes the day off of its scope. Needs the permission `scheduling:admin`.
   * `POST /v1/management/scheduling/doctors/{doctor_uid}/availability-date-overrides`
   */
  createDateOverride: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      body: CreateDateOverrideRequest
    }
    result: DateOverride
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Change a date override; only sent fields change
   * `day_off: true` makes it a day off and clears its window. Needs the permission `scheduling:admin`.
   * `PATCH /v1/management/scheduling/doctors/{doctor_uid}/availability-date-overrides/{override_uid}`
   */
  updateDateOverride: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      /** Opaque identifier */
      override_uid: string
      body?: UpdateDateOverrideRequest
    }
    result: DateOverride
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Delete a date override
   * Needs the permission `scheduling:admin`.
   * `DELETE /v1/management/scheduling/doctors/{doctor_uid}/availability-date-overrides/{override_uid}`
   */
  deleteDateOverride: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      /** Opaque identifier */
      override_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List webhook subscriptions
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/notification-subscriptions`
   */
  listNotificationSubscriptions: {
    input: {
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListNotificationSubscriptionsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Subscribe to a type of event; only this response shows the secret
   * Deliveries follow Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`). A 2xx within 15 seconds counts; otherwise it is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, later where `retry-after` says so. Redirects are not followed. 410 disables the subscription. Needs the permission `scheduling:admin`.
   * `POST /v1/management/notification-subscriptions`
   */
  createNotificationSubscription: {
    input: {
      body: CreateNotificationSubscriptionRequest
    }
    result: CreateNotificationSubscriptionResponse
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "too_many_subscriptions" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read a subscription
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/notification-subscriptions/{subscription_uid}`
   */
  getNotificationSubscription: {
    input: {
      /** Opaque identifier */
      subscription_uid: string
    }
    result: NotificationSubscription
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Move, pause or re-enable a subscription
   * Pausing it fails its pending deliveries; events that are published in the meantime are not sent to it. Needs the permission `scheduling:admin`.
   * `PATCH /v1/management/notification-subscriptions/{subscription_uid}`
   */
  updateNotificationSubscription: {
    input: {
      /** Opaque identifier */
      subscription_uid: string
      body?: UpdateNotificationSubscriptionRequest
    }
    result: NotificationSubscription
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Remove a subscription
   * Needs the permission `scheduling:admin`.
   * `DELETE /v1/management/notification-subscriptions/{subscription_uid}`
   */
  deleteNotificationSubscription: {
    input: {
      /** Opaque identifier */
      subscription_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Replace the signing secret; both sign for 24 hours
   * Needs the permission `scheduling:admin`.
   * `POST /v1/management/notification-subscriptions/{subscription_uid}/rotate-secret`
   */
  rotateNotificationSubscriptionSecret: {
    input: {
      /** Opaque identifier */
      subscription_uid: string
    }
    result: RotateNotificationSubscriptionSecretResponse
    item: never
    code: "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Send an example event
   * At most once a minute; an owner's subscriptions together at most 20 times. Needs the permission `scheduling:admin`.
   * `POST /v1/management/notification-subscriptions/{subscription_uid}/test`
   */
  testNotificationSubscription: {
    input: {
      /** Opaque identifier */
      subscription_uid: string
    }
    result: WebhookDelivery
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "subscription_inactive" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List deliveries and their attempts, newest first
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/notification-subscriptions/{subscription_uid}/deliveries`
   */
  listNotificationDeliveries: {
    input: {
      /** Opaque identifier */
      subscription_uid: string
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** Changed after, Unix seconds */
      updated_after?: number
      /** Only deliveries in this status */
      status?: "pending" | "delivered" | "failed"
    }
    result: ListNotificationDeliveriesResponse
    item: WebhookDelivery
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read a delivery with its payload
   * As in the feed, `action_links` are null for a key with neither `scheduling:write` nor `scheduling:admin`. Needs the permission `scheduling:read`.
   * `GET /v1/management/notification-subscriptions/{subscription_uid}/deliveries/{delivery_uid}`
   */
  getNotificationDelivery: {
    input: {
      /** Opaque identifier */
      subscription_uid: string
      /** Opaque identifier */
      delivery_uid: string
    }
    result: WebhookDeliveryWithPayload
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Send a delivery again, under the same webhook-id
   * Needs the permission `scheduling:admin`.
   * `POST /v1/management/notification-subscriptions/{subscription_uid}/deliveries/{delivery_uid}/replay`
   */
  replayNotificationDelivery: {
    input: {
      /** Opaque identifier */
      subscription_uid: string
      /** Opaque identifier */
      delivery_uid: string
    }
    result: WebhookDelivery
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "subscription_inactive" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List the appointment types that can be booked in a shop
   * `GET /v1/scheduling/appointment-types`
   */
  listPublicAppointmentTypes: {
    input: {
      /** Opaque identifier */
      shop_uid: string
      /** `presentation` adds `description`, `preparation`, `cancellation_rule`, `price` and `translations` */
      include?: "presentation"
    }
    result: ListPublicAppointmentTypesResponse
    item: never
    code: "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unavailable"
  }

  /**
   * Search free slots
   * At most 31 days; only slots that meet the effective booking notice; all of them, or the first `limit`.
   * `POST /v1/scheduling/slots/search`
   */
  searchSlots: {
    input: {
      body: SearchSlotsRequest
    }
    result: SearchSlotsResponse
    item: never
    code: "body_too_large" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Exchange a booking token for a launch code
   * The token comes in X-Service-Booking-Token or as booking_token in the body.
   * `POST /v1/scheduling/booking-sessions`
   */
  createBookingSession: {
    input: {
      body: CreateBookingSessionRequest
    }
    result: BookingSessionCreated
    item: never
    code: "body_too_large" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_confirmed" | "not_found" | "overloaded" | "token_audience" | "token_expired" | "token_key_unknown" | "token_malformed" | "token_not_yet_valid" | "token_shop_unknown" | "token_signature" | "token_too_long" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read a booking session
   * The launch code is the credential. Shows no patient data.
   * `GET /v1/scheduling/booking-sessions/{booking_launch_code}`
   */
  getBookingSession: {
    input: {
      /** The only credential of the session */
      booking_launch_code: string
    }
    result: BookingSessionContext
    item: never
    code: "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unavailable"
  }

  /**
   * Hold a slot
   * For the session's type, in its range. A new hold of the session releases its earlier one. 409 when the slot is taken, 429 when the patient has as many live holds and 400 when the patient has as many future appointments as the organisation allows. Repeated with its Idempotency-Key, it answers the same hold with its current status.
   * `POST /v1/scheduling/booking-sessions/{booking_launch_code}/holds`
   */
  createSessionHold: {
    input: {
      /** The only credential of the session */
      booking_launch_code: string
      body: CreateSessionHoldRequest
    }
    result: Hold
    item: never
    code: "body_too_large" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_confirmable" | "not_found" | "overloaded" | "patient_restricted" | "slot_taken" | "too_many_appointments" | "too_many_holds" | "too_many_requests" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Book without a hold
   * Confirmed in one step, for the session's type. Without `doctor_uid` the first free doctor in the order of their uids. In a rebooking session it moves the appointment.
   * `POST /v1/scheduling/booking-sessions/{booking_launch_code}/appointments`
   */
  bookSessionAppointment: {
    input: {
      /** The only credential of the session */
      booking_launch_code: string
      body: BookSessionAppointmentRequest
    }
    result: ConfirmedAppointment
    item: never
    code: "body_too_large" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_confirmable" | "not_found" | "overloaded" | "patient_restricted" | "slot_taken" | "too_many_appointments" | "too_many_holds" | "too_many_requests" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Confirm a hold
   * Allowed: `held` → `confirmed` (the appointment has not ended); `expired` → `confirmed` (the appointment has not ended; no other one overlaps); `confirmed` → `confirmed` (a repeated confirmation changes nothing). From any other status: 409, and nothing changes.
   * `POST /v1/scheduling/booking-sessions/{booking_launch_code}/holds/{hold_uid}/confirm`
   */
  confirmSessionHold: {
    input: {
      /** The only credential of the session */
      booking_launch_code: string
      /** Opaque identifier */
      hold_uid: string
      body?: ConfirmSessionHoldRequest
    }
    result: ConfirmedAppointment
    item: never
    code: "body_too_large" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_confirmable" | "not_found" | "overloaded" | "slot_taken" | "too_many_appointments" | "too_many_requests" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Cancel an appointment
   * Allowed: `held` → `cancelled`; `confirmed` → `cancelled` (patients: outside the cancellation notice). From any other status: 409, and nothing changes. An API key overrides the notice. Needs the permission `scheduling:write`.
   * `POST /v1/scheduling/appointments/{appointment_uid}/cancel`
   */
  cancelPatientAppointment: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
      body?: CancelPatientAppointmentRequest
    }
    result: CancelledAppointment
    item: never
    code: "appointment_cancelled" | "appointment_completed" | "appointment_expired" | "appointment_no_show" | "body_too_large" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "token_audience" | "token_expired" | "token_key_unknown" | "token_malformed" | "token_not_yet_valid" | "token_shop_unknown" | "token_signature" | "token_too_long" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Move an appointment
   * Allowed: `confirmed` → `cancelled` (a new confirmed appointment replaces it). From any other status: 409, and nothing changes. The new appointment is confirmed in the same transaction. An API key overrides allow_patient_rebooking and the notice. Send an Idempotency-Key: a retry then gets the first response. Needs the permission `scheduling:write`.
   * `POST /v1/scheduling/appointments/{appointment_uid}/rebook`
   */
  rebookPatientAppointment: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
      body: RebookPatientAppointmentRequest
    }
    result: RebookedAppointment
    item: never
    code: "body_too_large" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_confirmed" | "not_found" | "overloaded" | "patient_restricted" | "slot_taken" | "token_audience" | "token_expired" | "token_key_unknown" | "token_malformed" | "token_not_yet_valid" | "token_shop_unknown" | "token_signature" | "token_too_long" | "too_many_appointments" | "too_many_holds" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Join the video appointment
   * From 10 minutes before the start to 60 minutes after the end; otherwise 400. A repeated request runs again.
   * `POST /v1/scheduling/appointments/{appointment_uid}/join`
   */
  joinPatientAppointment: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
    }
    result: JoinToken
    item: never
    code: "idempotency_key_reused" | "in_progress" | "intake_missing" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "token_audience" | "token_expired" | "token_key_unknown" | "token_malformed" | "token_not_yet_valid" | "token_shop_unknown" | "token_signature" | "token_too_long" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Hold a slot for a customer
   * 409 when the slot is taken. The limits of a patient do not apply. Repeated with its Idempotency-Key, it answers the same hold with its current status. Needs the permission `scheduling:write`.
   * `POST /v1/scheduling/holds`
   */
  createHold: {
    input: {
      body: CreateHoldRequest
    }
    result: KeyHold
    item: never
    code: "body_too_large" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_confirmed" | "not_found" | "overloaded" | "patient_restricted" | "slot_taken" | "too_many_appointments" | "too_many_holds" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Confirm a hold that was made by API key
   * Allowed: `held` → `confirmed` (the appointment has not ended); `expired` → `confirmed` (the appointment has not ended; no other one overlaps); `confirmed` → `confirmed` (a repeated confirmation changes nothing). From any other status: 409, and nothing changes. Needs the permission `scheduling:write`.
   * `POST /v1/scheduling/holds/{hold_uid}/confirm`
   */
  confirmHold: {
    input: {
      /** Opaque identifier */
      hold_uid: string
      body?: ConfirmSessionHoldRequest
    }
    result: ConfirmedAppointment
    item: never
    code: "body_too_large" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_confirmable" | "not_confirmed" | "not_found" | "overloaded" | "slot_taken" | "too_many_appointments" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read what a link does and whether it can still be used
   * Reading changes nothing. A missing or expired code is 404.
   * `GET /v1/scheduling/appointment-actions/{code}`
   */
  getActionLink: {
    input: {
      /** The only credential of the link */
      code: string
    }
    result: GetActionLinkResponse
    item: never
    code: "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unavailable"
  }

  /**
   * Join by link
   * Can be used again while the join window is open; outside of it 400. A repeated request runs again.
   * `POST /v1/scheduling/appointment-actions/{code}/join`
   */
  joinByActionLink: {
    input: {
      /** The only credential of the link */
      code: string
    }
    result: JoinToken
    item: never
    code: "idempotency_key_reused" | "in_progress" | "intake_missing" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unavailable"
  }

  /**
   * Cancel by link
   * Allowed: `held` → `cancelled`; `confirmed` → `cancelled` (patients: outside the cancellation notice). From any other status: 409, and nothing changes. Inside the cancellation notice: 409.
   * `POST /v1/scheduling/appointment-actions/{code}/cancel`
   */
  cancelByActionLink: {
    input: {
      /** The only credential of the link */
      code: string
      body?: CancelPatientAppointmentRequest
    }
    result: CancelledAppointment
    item: never
    code: "appointment_cancelled" | "appointment_completed" | "appointment_expired" | "appointment_no_show" | "body_too_large" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "not_possible_any_more" | "overloaded" | "too_many_requests" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Open a rebooking session by link
   * Answers with the same session until it expires. The appointment stays until a new time is confirmed. A repeated request runs again.
   * `POST /v1/scheduling/appointment-actions/{code}/rebook-session`
   */
  rebookByActionLink: {
    input: {
      /** The only credential of the link */
      code: string
    }
    result: BookingSessionCreated
    item: never
    code: "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_confirmed" | "not_found" | "not_possible_any_more" | "overloaded" | "too_many_requests" | "unavailable"
  }

  /**
   * List your appointments
   * Without filters: held and confirmed from now on; history is `status=all&from=0`.
   * `GET /v1/doctor/appointments`
   */
  listOwnAppointments: {
    input: {
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** Opaque identifier */
      patient_uid?: string
      /** If omitted: held and confirmed */
      status?: "held" | "confirmed" | "cancelled" | "expired" | "completed" | "no_show" | "all"
      /** Starting at or after, Unix seconds */
      from?: number
      /** Starting at or before, Unix seconds */
      to?: number
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListAppointmentsResponse
    item: StaffAppointment
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Book a follow-up for one of your patients
   * `POST /v1/doctor/appointments`
   */
  bookFollowUp: {
    input: {
      body: BookFollowUpRequest
    }
    result: StaffAppointment
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_confirmed" | "not_found" | "overloaded" | "patient_restricted" | "slot_taken" | "too_many_appointments" | "too_many_holds" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read one of your appointments
   * `GET /v1/doctor/appointments/{appointment_uid}`
   */
  getOwnAppointment: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
    }
    result: StaffAppointment
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Join as the moderator
   * From 10 minutes before the start to 60 minutes after the end; otherwise 400. A repeated request runs again.
   * `POST /v1/doctor/appointments/{appointment_uid}/join`
   */
  joinOwnAppointment: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
    }
    result: JoinToken
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Mark an appointment as completed
   * Allowed: `confirmed` → `completed` (from its start on). From any other status: 409, and nothing changes.
   * `POST /v1/doctor/appointments/{appointment_uid}/complete`
   */
  completeOwnAppointment: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
    }
    result: StaffAppointment
    item: never
    code: "appointment_cancelled" | "appointment_completed" | "appointment_expired" | "appointment_held" | "appointment_no_show" | "appointment_not_started" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Mark an appointment as missed by the patient
   * Allowed: `confirmed` → `no_show` (from its start on). From any other status: 409, and nothing changes.
   * `POST /v1/doctor/appointments/{appointment_uid}/no-show`
   */
  markOwnAppointmentNoShow: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
    }
    result: StaffAppointment
    item: never
    code: "appointment_cancelled" | "appointment_completed" | "appointment_expired" | "appointment_held" | "appointment_no_show" | "appointment_not_started" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Take back that an appointment is completed or missed
   * Allowed: `completed` → `confirmed` (within 10 minutes, while the join window is open; no other one overlaps); `no_show` → `confirmed` (within 10 minutes, while the join window is open; no other one overlaps); `confirmed` → `confirmed` (a repetition changes nothing). From any other status: 409, and nothing changes. No message goes out.
   * `POST /v1/doctor/appointments/{appointment_uid}/reopen`
   */
  reopenOwnAppointment: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
    }
    result: StaffAppointment
    item: never
    code: "appointment_cancelled" | "appointment_expired" | "appointment_held" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "reopening_too_late" | "slot_taken" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List your availability rules
   * `GET /v1/doctor/availability-rules`
   */
  listOwnAvailabilityRules: {
    input: {
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListAvailabilityRulesResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Create an availability rule
   * `POST /v1/doctor/availability-rules`
   */
  createOwnAvailabilityRule: {
    input: {
      body: CreateAvailabilityRuleRequest
    }
    result: AvailabilityRule
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Change an availability rule; only sent fields change
   * `PATCH /v1/doctor/availability-rules/{rule_uid}`
   */
  updateOwnAvailabilityRule: {
    input: {
      /** Opaque identifier */
      rule_uid: string
      body?: UpdateAvailabilityRuleRequest
    }
    result: AvailabilityRule
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Delete an availability rule
   * `DELETE /v1/doctor/availability-rules/{rule_uid}`
   */
  deleteOwnAvailabilityRule: {
    input: {
      /** Opaque identifier */
      rule_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Find articles for a prescription
   * By name; at most 50.
   * `GET /v1/doctor/articles`
   */
  listArticles: {
    input: {
      /** Part of the name, or the pharmaceutical number */
      search?: string
    }
    result: ListArticlesResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List the organisation's appointments
   * Without filters: held and confirmed from now on; history is `status=all&from=0`.
   * `GET /v1/admin/scheduling/appointments`
   */
  listAdminAppointments: {
    input: {
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** Opaque identifier */
      patient_uid?: string
      /** If omitted: held and confirmed */
      status?: "held" | "confirmed" | "cancelled" | "expired" | "completed" | "no_show" | "all"
      /** Starting at or after, Unix seconds */
      from?: number
      /** Starting at or before, Unix seconds */
      to?: number
      /** Changed after, Unix seconds */
      updated_after?: number
      /** Opaque identifier */
      doctor_uid?: string
      /** Whether those in which `doctor_uid` is a further doctor are listed too; if omitted: no */
      including_further?: "true" | "false"
      /** Opaque identifier */
      resource_uid?: string
    }
    result: ListAppointmentsResponse
    item: StaffAppointment
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Cancel an appointment
   * Allowed: `held` → `cancelled`; `confirmed` → `cancelled` (patients: outside the cancellation notice). From any other status: 409, and nothing changes. The cancellation notice does not apply.
   * `POST /v1/admin/scheduling/appointments/{appointment_uid}/cancel`
   */
  cancelAdminAppointment: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
      body: CancelAppointmentRequest
    }
    result: StaffCancelledAppointment
    item: never
    code: "appointment_cancelled" | "appointment_completed" | "appointment_expired" | "appointment_no_show" | "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List reminders of an appointment type
   * `GET /v1/admin/scheduling/appointment-types/{appointment_type_uid}/reminders`
   */
  listAdminReminders: {
    input: {
      /** Opaque identifier */
      appointment_type_uid: string
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListRemindersResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Create a reminder
   * `POST /v1/admin/scheduling/appointment-types/{appointment_type_uid}/reminders`
   */
  createAdminReminder: {
    input: {
      /** Opaque identifier */
      appointment_type_uid: string
      body: CreateReminderRequest
    }
    result: Reminder
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "reminder_exists" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Change a reminder; only sent fields change
   * `PATCH /v1/admin/scheduling/appointment-types/{appointment_type_uid}/reminders/{reminder_uid}`
   */
  updateAdminReminder: {
    input: {
      /** Opaque identifier */
      appointment_type_uid: string
      /** Opaque identifier */
      reminder_uid: string
      body?: UpdateReminderRequest
    }
    result: Reminder
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "reminder_exists" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Delete a reminder
   * `DELETE /v1/admin/scheduling/appointment-types/{appointment_type_uid}/reminders/{reminder_uid}`
   */
  deleteAdminReminder: {
    input: {
      /** Opaque identifier */
      appointment_type_uid: string
      /** Opaque identifier */
      reminder_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read a doctor's availability rules
   * `GET /v1/admin/scheduling/doctors/{doctor_uid}/availability-rules`
   */
  listAdminAvailabilityRules: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListAvailabilityRulesResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List booking-token secrets
   * `GET /v1/admin/scheduling/booking-token-secrets`
   */
  listBookingTokenSecrets: {
    input: {}
    result: ListBookingTokenSecretsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Provision a secret
   * To rotate: provision a new secret, let the partner switch to it, then revoke the old one.
   * `POST /v1/admin/scheduling/booking-token-secrets`
   */
  createBookingTokenSecret: {
    input: {}
    result: CreateBookingTokenSecretResponse
    item: never
    code: "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read a secret; a revoked one is 404
   * `GET /v1/admin/scheduling/booking-token-secrets/{key_id}`
   */
  getBookingTokenSecret: {
    input: {
      /** Public name of the secret */
      key_id: string
    }
    result: GetBookingTokenSecretResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Revoke a secret; its tokens are rejected immediately
   * `DELETE /v1/admin/scheduling/booking-token-secrets/{key_id}`
   */
  revokeBookingTokenSecret: {
    input: {
      /** Public name of the secret */
      key_id: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List booking-token secrets (old path)
   * `GET /v1/admin/scheduling/organisations/{organisation_uid}/booking-token-secrets`
   * @deprecated
   */
  listOrganisationBookingTokenSecrets: {
    input: {
      /** The administrator's organisation */
      organisation_uid: string
    }
    result: ListBookingTokenSecretsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Provision a secret (old path)
   * `POST /v1/admin/scheduling/organisations/{organisation_uid}/booking-token-secrets`
   * @deprecated
   */
  createOrganisationBookingTokenSecret: {
    input: {
      /** The administrator's organisation */
      organisation_uid: string
    }
    result: CreateBookingTokenSecretResponse
    item: never
    code: "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read a secret (old path)
   * `GET /v1/admin/scheduling/organisations/{organisation_uid}/booking-token-secrets/{key_id}`
   * @deprecated
   */
  getOrganisationBookingTokenSecret: {
    input: {
      /** The administrator's organisation */
      organisation_uid: string
      /** Public name of the secret */
      key_id: string
    }
    result: GetBookingTokenSecretResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Revoke a secret (old path)
   * `DELETE /v1/admin/scheduling/organisations/{organisation_uid}/booking-token-secrets/{key_id}`
   * @deprecated
   */
  revokeOrganisationBookingTokenSecret: {
    input: {
      /** The administrator's organisation */
      organisation_uid: string
      /** Public name of the secret */
      key_id: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List the products that the pharmacy carries, with their SKUs
   * Needs the permission `stock_read`.
   * `GET /v1/external_pharmacy_api/pharmacy_products/`
   */
  listPharmacyProducts: {
    input: {
      /** Opaque identifier */
      pharmacy_uid?: string
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListPharmacyProductsResponse
    item: PharmacyProduct
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List the pharmacy's SKUs
   * SKUs of a type that is hidden from the pharmacy are neither listed nor counted. Needs the permission `stock_read`.
   * `GET /v1/external_pharmacy_api/pharmacy_skus/`
   */
  listPharmacySkus: {
    input: {
      /** Opaque identifier */
      pharmacy_uid?: string
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** 1 to 2048 characters */
      names?: string
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListPharmacySkusResponse
    item: PharmacySku
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Update up to 1,000 SKUs
   * Every row is validated separately; `data` has the result of each, in the order of the request. All valid rows change in one transaction. Needs the permission `stock_write` or `pharmacy_sku_write`.
   * `PATCH /v1/external_pharmacy_api/pharmacy_skus/`
   */
  updatePharmacySkus: {
    input: {
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
      body: UpdatePharmacySkusRequest
    }
    result: UpdatePharmacySkusResponse
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Update price, stock, external id; only sent fields change
   * A new price changes the projected payouts of open orders. Needs the permission `stock_write` or `pharmacy_sku_write`.
   * `PATCH /v1/external_pharmacy_api/pharmacy_skus/{pharmacy_sku_uid}`
   */
  updatePharmacySku: {
    input: {
      /** Opaque identifier */
      pharmacy_sku_uid: string
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
      body?: UpdatePharmacySkuRequest
    }
    result: PharmacySku
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Update the stock
   * Needs the permission `stock_write` or `pharmacy_sku_write`.
   * `PATCH /v1/external_pharmacy_api/pharmacy_skus/{pharmacy_sku_uid}/stock`
   */
  updatePharmacySkuStock: {
    input: {
      /** Opaque identifier */
      pharmacy_sku_uid: string
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
      body: UpdatePharmacySkuStockRequest
    }
    result: PharmacySku
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Update the external id
   * Needs the permission `stock_write` or `pharmacy_sku_write`.
   * `PATCH /v1/external_pharmacy_api/pharmacy_skus/{pharmacy_sku_uid}/external_id`
   */
  updatePharmacySkuExternalId: {
    input: {
      /** Opaque identifier */
      pharmacy_sku_uid: string
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
      body: UpdatePharmacySkuExternalIdRequest
    }
    result: PharmacySku
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List webhook subscriptions
   * Needs the permission `webhooks_read`.
   * `GET /v1/external_pharmacy_api/webhooks/`
   */
  listPharmacyWebhooks: {
    input: {
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListPharmacyWebhooksResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Register a webhook; only this response shows the secret
   * Deliveries follow Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`). A 2xx within 15 seconds counts; otherwise it is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, later where `retry-after` says so. Redirects are not followed. 410 disables the subscription. Needs the permission `webhooks_write`.
   * `POST /v1/external_pharmacy_api/webhooks/`
   */
  createPharmacyWebhook: {
    input: {
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
      body: CreatePharmacyWebhookRequest
    }
    result: CreatePharmacyWebhookResponse
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "too_many_subscriptions" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read the pharmacy's events in order
   * The same as webhooks deliver, kept for 30 days. Keys with `orders_read` see events about orders and prescriptions, keys with `stock_read` events about SKUs. Needs the permission `webhooks_read`.
   * `GET /v1/external_pharmacy_api/events`
   */
  listPharmacyEvents: {
    input: {
      /** Opaque identifier */
      pharmacy_uid?: string
      /** Opaque identifier */
      after?: string
      /** Only events of this type */
      type?: "patient_doctor_meeting_updated" | "rebooked" | "scheduling.appointment_reminder_due" | "patient.created" | "subscription.failing" | "prescription.render" | "prescription.rendered" | "pharmacy_manager.send_prescription" | "pharmacy_order.created" | "pharmacy_order.status_updated" | "pharmacy_order.completed" | "pharmacy_sku.updated" | "recall.due" | "scheduling.times_offered" | "busy_source.failing" | "calendar_connection.failing" | "waitlist.offered" | "waitlist.accepted" | "waitlist.paused" | "patient.merged" | "patient.exported" | "patient.erased" | "request.created" | "request.answered" | "request.running_out" | "request.closed" | "scheduling.doctor_late" | "scheduling.waiting"
      limit?: number | null
    }
    result: ListEventsResponse
    item: Event
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read a webhook subscription
   * Needs the permission `webhooks_read`.
   * `GET /v1/external_pharmacy_api/webhooks/{subscription_uid}`
   */
  getPharmacyWebhook: {
    input: {
      /** Opaque identifier */
      subscription_uid: string
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
    }
    result: PharmacyWebhook
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Move, pause or re-enable a webhook
   * Pausing it fails its pending deliveries; events that are published in the meantime are not sent to it. Needs the permission `webhooks_write`.
   * `PATCH /v1/external_pharmacy_api/webhooks/{subscription_uid}`
   */
  updatePharmacyWebhook: {
    input: {
      /** Opaque identifier */
      subscription_uid: string
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
      body?: UpdateNotificationSubscriptionRequest
    }
    result: PharmacyWebhook
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Remove a webhook
   * Needs the permission `webhooks_write`.
   * `DELETE /v1/external_pharmacy_api/webhooks/{subscription_uid}`
   */
  deletePharmacyWebhook: {
    input: {
      /** Opaque identifier */
      subscription_uid: string
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Replace the signing secret; both sign for 24 hours
   * Needs the permission `webhooks_write`.
   * `POST /v1/external_pharmacy_api/webhooks/{subscription_uid}/rotate-secret`
   */
  rotatePharmacyWebhookSecret: {
    input: {
      /** Opaque identifier */
      subscription_uid: string
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
    }
    result: RotateNotificationSubscriptionSecretResponse
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Send an example event
   * At most once a minute; an owner's subscriptions together at most 20 times. Needs the permission `webhooks_write`.
   * `POST /v1/external_pharmacy_api/webhooks/{subscription_uid}/test`
   */
  testPharmacyWebhook: {
    input: {
      /** Opaque identifier */
      subscription_uid: string
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
    }
    result: WebhookDelivery
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "subscription_inactive" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List deliveries and their attempts, newest first
   * Needs the permission `webhooks_read`.
   * `GET /v1/external_pharmacy_api/webhooks/{subscription_uid}/deliveries`
   */
  listPharmacyDeliveries: {
    input: {
      /** Opaque identifier */
      subscription_uid: string
      /** Opaque identifier */
      pharmacy_uid?: string
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** Changed after, Unix seconds */
      updated_after?: number
      /** Only deliveries in this status */
      status?: "pending" | "delivered" | "failed"
    }
    result: ListNotificationDeliveriesResponse
    item: WebhookDelivery
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read a delivery with its payload
   * The payload of events about orders and prescriptions needs `orders_read` as well, of those about SKUs `stock_read`; otherwise it is null. Needs the permission `webhooks_read`.
   * `GET /v1/external_pharmacy_api/webhooks/{subscription_uid}/deliveries/{delivery_uid}`
   */
  getPharmacyDelivery: {
    input: {
      /** Opaque identifier */
      subscription_uid: string
      /** Opaque identifier */
      delivery_uid: string
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
    }
    result: WebhookDeliveryWithPayload
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Send a delivery again, under the same webhook-id
   * Needs the permission `webhooks_write`.
   * `POST /v1/external_pharmacy_api/webhooks/{subscription_uid}/deliveries/{delivery_uid}/replay`
   */
  replayPharmacyDelivery: {
    input: {
      /** Opaque identifier */
      subscription_uid: string
      /** Opaque identifier */
      delivery_uid: string
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
    }
    result: WebhookDelivery
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "subscription_inactive" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List orders, newest first
   * Needs the permission `orders_read`.
   * `GET /v1/external_pharmacy_api/pharmacy_orders/`
   */
  listPharmacyOrders: {
    input: {
      /** Opaque identifier */
      pharmacy_uid?: string
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** Only orders in this status */
      status?: "new" | "accepted" | "in_preparation" | "ready_for_pickup" | "shipped" | "completed" | "rejected" | "cancelled"
      /** Part of uid, name or prescription uid */
      search?: string
      /** Created at or after, Unix seconds */
      start_date?: number
      /** Created at or before, Unix seconds */
      end_date?: number
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListPharmacyOrdersResponse
    item: PharmacyOrder
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read an order
   * Needs the permission `orders_read`.
   * `GET /v1/external_pharmacy_api/pharmacy_orders/{pharmacy_order_uid}`
   */
  getPharmacyOrder: {
    input: {
      /** Opaque identifier */
      pharmacy_order_uid: string
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
    }
    result: PharmacyOrder
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Change an order's status
   * Allowed: `new` → `accepted`; `new` → `rejected`; `accepted` → `in_preparation` (its prescription was not cancelled); `in_preparation` → `ready_for_pickup` (its prescription was not cancelled); `in_preparation` → `shipped` (its prescription was not cancelled); `new` → `cancelled`; `accepted` → `cancelled`; `in_preparation` → `cancelled`; `ready_for_pickup` → `cancelled`; `shipped` → `cancelled`. The current status of the order: nothing changes. Any other transition: 409. `completed` is 400: complete the order instead. Needs the permission `orders_write`.
   * `PATCH /v1/external_pharmacy_api/pharmacy_orders/{pharmacy_order_uid}/status`
   */
  updatePharmacyOrderStatus: {
    input: {
      /** Opaque identifier */
      pharmacy_order_uid: string
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
      body: UpdatePharmacyOrderStatusRequest
    }
    result: PharmacyOrder
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "order_changed" | "overloaded" | "prescription_not_signed" | "status_not_allowed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Complete a paid order
   * Allowed: `in_preparation` → `completed` (the order is paid, and its prescription neither waits for a doctor nor was cancelled); `ready_for_pickup` → `completed` (the order is paid, and its prescription neither waits for a doctor nor was cancelled); `shipped` → `completed` (the order is paid, and its prescription was signed). The current status of the order: nothing changes. Any other transition: 409. Its payouts are frozen and each is routed once; repeating the call changes nothing. Needs the permission `orders_write`.
   * `PATCH /v1/external_pharmacy_api/pharmacy_orders/{pharmacy_order_uid}/complete_order`
   */
  completePharmacyOrder: {
    input: {
      /** Opaque identifier */
      pharmacy_order_uid: string
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
    }
    result: PharmacyOrder
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "order_changed" | "order_not_paid" | "overloaded" | "prescription_not_signed" | "status_not_allowed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Add or correct the tracking number of a shipped order
   * The status stays as it is; a completed order may have its tracking number corrected, too. The `ETag` of the response, for `If-Match`, is that of the order's `tracking` alone. Needs the permission `orders_write`.
   * `PATCH /v1/external_pharmacy_api/pharmacy_orders/{pharmacy_order_uid}/tracking`
   */
  setPharmacyOrderTracking: {
    input: {
      /** Opaque identifier */
      pharmacy_order_uid: string
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
      body: Tracking
    }
    result: PharmacyOrder
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "order_not_shipped" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Undo an order's last step, within ten seconds
   * Accepting, preparing, readiness for pickup and shipping can be undone; the order's `undo` says until when. Rejecting, cancelling and completing cannot. Needs the permission `orders_write`.
   * `PATCH /v1/external_pharmacy_api/pharmacy_orders/{pharmacy_order_uid}/undo`
   */
  undoPharmacyOrderStep: {
    input: {
      /** Opaque identifier */
      pharmacy_order_uid: string
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
    }
    result: PharmacyOrder
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "nothing_to_undo" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Report articles that are missing, or another problem of an order
   * The status stays. Without a message and missing articles the problem is over. The `ETag` of the response, for `If-Match`, is that of the order's `problem` alone. Needs the permission `orders_write`.
   * `PATCH /v1/external_pharmacy_api/pharmacy_orders/{pharmacy_order_uid}/problem`
   */
  reportPharmacyOrderProblem: {
    input: {
      /** Opaque identifier */
      pharmacy_order_uid: string
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
      body?: ReportPharmacyOrderProblemRequest
    }
    result: PharmacyOrder
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Accept what the shop has changed in an order
   * The order gets the lines of its `shop_change`, or is cancelled if none are left. An order that was shipped stays as it is, and the change is settled. Another change than the one that waits is 409 `order_changed`; accepting it again changes nothing. Needs the permission `orders_write`.
   * `PATCH /v1/external_pharmacy_api/pharmacy_orders/{pharmacy_order_uid}/accept_change`
   */
  acceptPharmacyOrderChange: {
    input: {
      /** Opaque identifier */
      pharmacy_order_uid: string
      /** The pharmacy; required for group-wide keys, others are bound to their own */
      pharmacy_uid?: string
      body: AcceptPharmacyOrderChangeRequest
    }
    result: PharmacyOrder
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "order_changed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List payouts, projected and routed
   * Projected rows estimate the payouts of paid orders with a physical line, at current prices and terms; a row becomes routed once the order is completed and the payment provider has the route. Rows without `routing_created_at` sort as the earliest. `Accept: text/csv` returns a statement: every row of the filter, then a total for each status and currency; more than 50,000 rows are 400, so request shorter periods. Needs the permission `orders_read`.
   * `GET /v1/external_pharmacy_api/payouts`
   */
  listPayouts: {
    input: {
      /** Opaque identifier */
      pharmacy_uid?: string
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** Changed after, Unix seconds */
      updated_after?: number
      /** projected: a preview; routed: sent to the payment provider */
      status?: "projected" | "routed"
      /** Part of the order's uid or name, of the route's id or of its description */
      search?: string
      /** Routed rows: routed at or after; projected rows: ordered at or after */
      start_date?: number
      /** The same, at or before */
      end_date?: number
      /** Field that orders the list */
      sort_by?: ("pharmacy_order_created_at" | "routing_created_at" | "amount") | null
      /** asc: smallest first; desc: greatest first */
      sort_direction?: ("asc" | "desc") | null
    }
    result: ListPayoutsResponse
    item: Payout
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List prescriptions, newest first
   * Needs the permission `prescription:read`.
   * `GET /v1/management/prescriptions`
   */
  listPrescriptions: {
    input: {
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** Only those of this status */
      status?: "waiting_for_doctor" | "externally_signed" | "signed" | "dispatched" | "completed" | "cancelled"
      /** Opaque identifier */
      patient_uid?: string
      /** Part of the patient's name, or the whole uid */
      search?: string
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListPrescriptionsResponse
    item: ListedPrescription
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read a prescription
   * `file.url` is a signed URL of the PDF, valid for 5 minutes. Needs the permission `prescription:read`.
   * `GET /v1/management/prescriptions/{prescription_uid}`
   */
  getPrescription: {
    input: {
      /** Opaque identifier */
      prescription_uid: string
    }
    result: Prescription
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Render the unsigned PDF
   * Starts a job and returns at once; poll the prescription until `rendered`, or subscribe to PRESCRIPTION_RENDERED. A prescription is rendered once: a call during or after rendering, or for a prescription that is not waiting for a doctor, starts nothing, and `message` says so. A rendering without a result can be requested again after an hour. Needs the permission `prescription:external_sign`.
   * `POST /v1/management/prescriptions/{prescription_uid}/render`
   */
  renderPrescription: {
    input: {
      /** Opaque identifier */
      prescription_uid: string
    }
    result: RenderPrescriptionResponse
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Register a prescription as signed outside the service
   * Copies the rendered PDF to the signed store and sends the prescription to the pharmacy. 409 unless it is waiting for a doctor, no item has an anamnesis and its PDF has been rendered. Needs the permission `prescription:external_sign`.
   * `POST /v1/management/prescriptions/{prescription_uid}/external-sign`
   */
  signPrescriptionExternally: {
    input: {
      /** Opaque identifier */
      prescription_uid: string
    }
    result: SignPrescriptionExternallyResponse
    item: never
    code: "forbidden" | "has_anamnesis" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "not_rendered" | "not_waiting_for_doctor" | "overloaded" | "rendered_again" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Cancel a prescription
   * From every status except `COMPLETED`; 409 if it is completed or already cancelled. Needs the permission `prescription:external_sign`.
   * `POST /v1/management/prescriptions/{prescription_uid}/cancel`
   */
  cancelPrescription: {
    input: {
      /** Opaque identifier */
      prescription_uid: string
      body: CancelPrescriptionRequest
    }
    result: CancelPrescriptionResponse
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_cancellable" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Download a prescription's PDF
   * The URL comes from `file.url` of a prescription; 404 if it is altered or expired.
   * `GET /v1/prescription-files/{token}`
   */
  downloadPrescriptionFile: {
    input: {
      /** Signed address of the file */
      token: string
    }
    result: ArrayBuffer
    item: never
    code: "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unavailable"
  }

  /**
   * Send signed prescriptions with their lines to a shop
   * An id of `prescriptions` is accepted once per provider: a later request with it is 409 and names the prescription that it created. An id whose request failed can be used again: send the same request. Without an e-mail address a `draft_order` sends no invitation to check out; pass on `checkout_url` yourself. Needs the permission `create_prescription_checkout`.
   * `POST /v2/public-api/prescriptions/{shop_identifier}`
   */
  createPrescriptionCheckout: {
    input: {
      /** Identifier that the shop is configured with */
      shop_identifier: string
      body: CreatePrescriptionCheckoutRequest
    }
    result: PrescriptionCheckoutResult
    item: never
    code: "body_too_large" | "draft_order_completed" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "line_already_prescribed" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "prescription_already_accepted" | "reservation_expired" | "storefront_refused" | "storefront_unavailable" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Open a checkout for lines that a doctor decides on after the order
   * Needs the permission `create_treatment_checkout`.
   * `POST /v2/public-api/treatments/{shop_identifier}`
   */
  createTreatmentCheckout: {
    input: {
      /** Identifier that the shop is configured with */
      shop_identifier: string
      body: CreateTreatmentCheckoutRequest
    }
    result: TreatmentCheckoutResult
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "storefront_refused" | "storefront_unavailable" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Reserve lines in a draft order for a day, until the prescription is signed
   * Needs the permission `create_prescription_checkout`.
   * `POST /v2/public-api/reservations/{shop_identifier}`
   */
  createReservation: {
    input: {
      /** Identifier that the shop is configured with */
      shop_identifier: string
      body: NewReservation
    }
    result: CreateReservationResponse
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "storefront_refused" | "storefront_unavailable" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List the pharmacy orders of a prescription
   * Needs the permission `create_prescription_checkout`.
   * `GET /v2/public-api/orders/{prescription_uid}`
   */
  getPrescriptionOrders: {
    input: {
      /** Opaque identifier */
      prescription_uid: string
    }
    result: OrdersOfPrescription
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Move many appointments
   * Confirmed appointments that start in `[from, to)`, of one doctor or of all: a request looks at the first 200 by start and moves at most 50; send it again for those `left` with `too_many_requests`. Each gets the first time that is free up to 31 days after `to`. If its type allows any doctor: with another doctor, from its own start on; otherwise with the same doctor, from `to` on. With `resource_uid` those that take it keep their time where another is free. Each appointment is moved separately, with its own event and message. Needs the permission `scheduling:admin`.
   * `POST /v1/management/scheduling/appointments/bulk-move`
   */
  moveAppointments: {
    input: {
      body: MoveAppointmentsRequest
    }
    result: BulkMovedAppointments
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List doctors
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/doctors`
   */
  listBookableDoctors: {
    input: {
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListBookableDoctorsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List a doctor's settings for appointment types
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/doctors/{doctor_uid}/appointment-type-settings`
   */
  listDoctorSettings: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListDoctorSettingsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Set a doctor's own values for an appointment type
   * An active setting offers a `selected_doctors_only` type with this doctor; an inactive one withdraws the doctor from the type in either mode. Needs the permission `scheduling:admin`.
   * `PUT /v1/management/scheduling/doctors/{doctor_uid}/appointment-type-settings/{appointment_type_uid}`
   */
  putDoctorSetting: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      /** Opaque identifier */
      appointment_type_uid: string
      body?: PutDoctorSettingRequest
    }
    result: DoctorAppointmentTypeSetting
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Delete a doctor's setting for an appointment type
   * Needs the permission `scheduling:admin`.
   * `DELETE /v1/management/scheduling/doctors/{doctor_uid}/appointment-type-settings/{appointment_type_uid}`
   */
  deleteDoctorSetting: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      /** Opaque identifier */
      appointment_type_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List resources, by name
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/resources`
   */
  listResources: {
    input: {
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListResourcesResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Create a resource
   * Appointments take it once a type names it in `requirements`. With `always_available: false` it is free within its own availability rules and date overrides alone. Needs the permission `scheduling:admin`.
   * `POST /v1/management/scheduling/resources`
   */
  createResource: {
    input: {
      body: CreateResourceRequest
    }
    result: Resource
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read a resource
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/resources/{resource_uid}`
   */
  getResource: {
    input: {
      /** Opaque identifier */
      resource_uid: string
    }
    result: Resource
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Change a resource; only sent fields change
   * Cancels nothing: appointments that took it keep it. Needs the permission `scheduling:admin`.
   * `PATCH /v1/management/scheduling/resources/{resource_uid}`
   */
  updateResource: {
    input: {
      /** Opaque identifier */
      resource_uid: string
      body?: UpdateResourceRequest
    }
    result: Resource
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Delete a resource
   * Cancels nothing: appointments that took it keep it. Nothing new takes it, also where a type still names it. Needs the permission `scheduling:admin`.
   * `DELETE /v1/management/scheduling/resources/{resource_uid}`
   */
  deleteResource: {
    input: {
      /** Opaque identifier */
      resource_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List a resource's availability rules
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/resources/{resource_uid}/availability-rules`
   */
  listResourceAvailabilityRules: {
    input: {
      /** Opaque identifier */
      resource_uid: string
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListResourceAvailabilityRulesResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Create an availability rule of a resource
   * A weekly window on the organisation's wall clock. It counts while the resource has `always_available: false`; `buffer_minutes` is stored and has no effect. Needs the permission `scheduling:admin`.
   * `POST /v1/management/scheduling/resources/{resource_uid}/availability-rules`
   */
  createResourceAvailabilityRule: {
    input: {
      /** Opaque identifier */
      resource_uid: string
      body: CreateAvailabilityRuleRequest
    }
    result: ResourceAvailabilityRule
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Change an availability rule of a resource; only sent fields change
   * Needs the permission `scheduling:admin`.
   * `PATCH /v1/management/scheduling/resources/{resource_uid}/availability-rules/{rule_uid}`
   */
  updateResourceAvailabilityRule: {
    input: {
      /** Opaque identifier */
      resource_uid: string
      /** Opaque identifier */
      rule_uid: string
      body?: UpdateAvailabilityRuleRequest
    }
    result: ResourceAvailabilityRule
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Delete an availability rule of a resource
   * Needs the permission `scheduling:admin`.
   * `DELETE /v1/management/scheduling/resources/{resource_uid}/availability-rules/{rule_uid}`
   */
  deleteResourceAvailabilityRule: {
    input: {
      /** Opaque identifier */
      resource_uid: string
      /** Opaque identifier */
      rule_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List a resource's date overrides
   * At most 184 dates, both ends included; a longer range is cut at its end. Without bounds: from today (UTC). Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/resources/{resource_uid}/availability-date-overrides`
   */
  listResourceDateOverrides: {
    input: {
      /** Opaque identifier */
      resource_uid: string
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** UTC midnight of a calendar date, inclusive */
      from?: number
      /** UTC midnight of a calendar date, inclusive */
      to?: number
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListResourceDateOverridesResponse
    item: ResourceDateOverride
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Create a date override of a resource
   * A day off closes the resource on the date and cancels nothing. It counts while the resource has `always_available: false`. Needs the permission `scheduling:admin`.
   * `POST /v1/management/scheduling/resources/{resource_uid}/availability-date-overrides`
   */
  createResourceDateOverride: {
    input: {
      /** Opaque identifier */
      resource_uid: string
      body: CreateDateOverrideRequest
    }
    result: ResourceDateOverride
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Change a date override of a resource; only sent fields change
   * Needs the permission `scheduling:admin`.
   * `PATCH /v1/management/scheduling/resources/{resource_uid}/availability-date-overrides/{override_uid}`
   */
  updateResourceDateOverride: {
    input: {
      /** Opaque identifier */
      resource_uid: string
      /** Opaque identifier */
      override_uid: string
      body?: UpdateDateOverrideRequest
    }
    result: ResourceDateOverride
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Delete a date override of a resource
   * Needs the permission `scheduling:admin`.
   * `DELETE /v1/management/scheduling/resources/{resource_uid}/availability-date-overrides/{override_uid}`
   */
  deleteResourceDateOverride: {
    input: {
      /** Opaque identifier */
      resource_uid: string
      /** Opaque identifier */
      override_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read the organisation
   * Needs the permission `organisation:admin`.
   * `GET /v1/management/organisation`
   */
  getOrganisation: {
    input: {}
    result: Organisation
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Change the organisation; only sent fields change
   * Needs the permission `organisation:admin`.
   * `PATCH /v1/management/organisation`
   */
  updateOrganisation: {
    input: {
      body?: OrganisationChanges
    }
    result: Organisation
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Remove an administrator: they get no more reminders
   * Needs the permission `organisation:admin`.
   * `DELETE /v1/management/organisation/admins/{admin_uid}`
   */
  deleteAdministrator: {
    input: {
      /** Opaque identifier */
      admin_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List the records of doctors, by name
   * Needs the permission `organisation:admin`.
   * `GET /v1/management/doctors`
   */
  listDoctors: {
    input: {
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListDoctorsResponse
    item: Doctor
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Create a doctor
   * Nothing can be booked until the doctor has availability rules. Needs the permission `organisation:admin`.
   * `POST /v1/management/doctors`
   */
  createDoctor: {
    input: {
      body: CreateDoctorRequest
    }
    result: Doctor
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read a doctor
   * Needs the permission `organisation:admin`.
   * `GET /v1/management/doctors/{doctor_uid}`
   */
  getDoctor: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
    }
    result: Doctor
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Change a doctor; only sent fields change
   * Needs the permission `organisation:admin`.
   * `PATCH /v1/management/doctors/{doctor_uid}`
   */
  updateDoctor: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      body?: UpdateDoctorRequest
    }
    result: Doctor
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Delete a doctor
   * Removes the doctor from all lists and searches and blocks the sign-in; past appointments keep the name. 409 while a hold or a confirmed appointment has not ended: cancel them (`bulk-cancel`) or move them first. Needs the permission `organisation:admin`.
   * `DELETE /v1/management/doctors/{doctor_uid}`
   */
  deleteDoctor: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
    }
    result: undefined
    item: never
    code: "doctor_has_appointments" | "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List shops, by identifier
   * Needs the permission `organisation:admin`.
   * `GET /v1/management/shops`
   */
  listShops: {
    input: {
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListShopsResponse
    item: Shop
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Create a shop
   * Needs the permission `organisation:admin`.
   * `POST /v1/management/shops`
   */
  createShop: {
    input: {
      body: CreateShopRequest
    }
    result: Shop
    item: never
    code: "already_used" | "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read a shop
   * Needs the permission `organisation:admin`.
   * `GET /v1/management/shops/{shop_uid}`
   */
  getShop: {
    input: {
      /** Opaque identifier */
      shop_uid: string
    }
    result: Shop
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Change a shop; only sent fields change
   * Needs the permission `organisation:admin`.
   * `PATCH /v1/management/shops/{shop_uid}`
   */
  updateShop: {
    input: {
      /** Opaque identifier */
      shop_uid: string
      body?: UpdateShopRequest
    }
    result: Shop
    item: never
    code: "already_used" | "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List patients, newest first
   * Needs the permission `patients:read`.
   * `GET /v1/management/patients`
   */
  listPatients: {
    input: {
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** Only the patients with these uids, separated by commas */
      uids?: string
      /** The shop's name for its customer, whole */
      shop_customer_id?: string
      /** Mail address of the profile, whole, in upper or lower case */
      email?: string
      /** Words, in any order, that are part of the uid, customer id, name, mail address, date of birth or telephone number */
      search?: string
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListPatientsResponse
    item: Patient
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Create a patient
   * A booking token and a booking by API key create the patient automatically; this is for patients who are needed earlier. Needs the permission `patients:write`.
   * `POST /v1/management/patients`
   */
  createPatient: {
    input: {
      body: CreatePatientRequest
    }
    result: Patient
    item: never
    code: "already_used" | "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read a patient
   * A record that was merged into another is 404 as well; its `merged_into` is the uid of the record that stays. Needs the permission `patients:read`.
   * `GET /v1/management/patients/{patient_uid}`
   */
  getPatient: {
    input: {
      /** Opaque identifier */
      patient_uid: string
    }
    result: Patient
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Change a patient; only sent fields change
   * Fields of `profile` that are sent replace the stored ones; null removes one. For a key without `patients:read` the response has only those profile fields that were sent. Needs the permission `patients:write`.
   * `PATCH /v1/management/patients/{patient_uid}`
   */
  updatePatient: {
    input: {
      /** Opaque identifier */
      patient_uid: string
      body?: UpdatePatientRequest
    }
    result: Patient
    item: never
    code: "already_used" | "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List a patient's consents, the oldest first
   * Needs the permission `patients:read`.
   * `GET /v1/management/patients/{patient_uid}/consents`
   */
  listConsents: {
    input: {
      /** Opaque identifier */
      patient_uid: string
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListConsentsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Record a consent that the patient gave elsewhere
   * To a current or earlier version of a text of the organisation. A consent that is still in force is returned unchanged. Needs the permission `patients:write`.
   * `POST /v1/management/patients/{patient_uid}/consents`
   */
  giveConsents: {
    input: {
      /** Opaque identifier */
      patient_uid: string
      body: GiveConsentsRequest
    }
    result: Consent
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Record that a patient withdrew a consent
   * The consent is kept with `withdrawn_at`. A repetition changes nothing. Needs the permission `patients:admin`.
   * `POST /v1/management/patients/{patient_uid}/consents/{consent_uid}/withdraw`
   */
  withdrawConsents: {
    input: {
      /** Opaque identifier */
      patient_uid: string
      /** Opaque identifier */
      consent_uid: string
    }
    result: Consent
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read events in order
   * The organisation's events, the same as webhooks deliver, kept for 30 days: also those that a webhook has missed. For the next page send `after` with the last id; an unknown or deleted id is 400. Needs the permission `scheduling:read`.
   * `GET /v1/management/events`
   */
  listEvents: {
    input: {
      /** Opaque identifier */
      after?: string
      /** Only events of this type */
      type?: "patient_doctor_meeting_updated" | "rebooked" | "scheduling.appointment_reminder_due" | "patient.created" | "subscription.failing" | "prescription.render" | "prescription.rendered" | "pharmacy_manager.send_prescription" | "pharmacy_order.created" | "pharmacy_order.status_updated" | "pharmacy_order.completed" | "pharmacy_sku.updated" | "recall.due" | "scheduling.times_offered" | "busy_source.failing" | "calendar_connection.failing" | "waitlist.offered" | "waitlist.accepted" | "waitlist.paused" | "patient.merged" | "patient.exported" | "patient.erased" | "request.created" | "request.answered" | "request.running_out" | "request.closed" | "scheduling.doctor_late" | "scheduling.waiting"
      limit?: number | null
    }
    result: ListEventsResponse
    item: Event
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List the organisation's API keys
   * `GET /v1/admin/api-keys`
   */
  listApiKeys: {
    input: {}
    result: ListApiKeysResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Create an API key; only this response shows it
   * `POST /v1/admin/api-keys`
   */
  createApiKey: {
    input: {
      body: CreateApiKeyRequest
    }
    result: CreateApiKeyResponse
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Revoke an API key immediately
   * `DELETE /v1/admin/api-keys/{uid}`
   */
  revokeApiKey: {
    input: {
      /** Opaque identifier */
      uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List the key's latest requests
   * Requests of the last hour, newest first, at most 100, without bodies and queries; requests for this list are not included. Each process lists only the requests that it has answered itself since it started.
   * `GET /v1/requests`
   */
  listRequests: {
    input: {
      limit?: number | null
    }
    result: ListRequestsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List recalls, by date
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/recalls`
   */
  listRecalls: {
    input: {
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** Changed after, Unix seconds */
      updated_after?: number
      /** Opaque identifier */
      patient_uid?: string
      /** Only of this status */
      status?: "waiting" | "sent" | "booked" | "cancelled"
    }
    result: ListRecallsResponse
    item: Recall
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Ask a patient to come again
   * `lead_days` before the date, at 9:00 of the patient's zone, the patient gets a mail or SMS with a link that books. Needs the permission `scheduling:admin`.
   * `POST /v1/management/scheduling/recalls`
   */
  createRecall: {
    input: {
      body: CreateRecallRequest
    }
    result: Recall
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read a recall
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/recalls/{recall_uid}`
   */
  getRecall: {
    input: {
      /** Opaque identifier */
      recall_uid: string
    }
    result: Recall
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Change a recall; only sent fields change
   * A new date waits again. `status` may be set to `cancelled`. Needs the permission `scheduling:admin`.
   * `PATCH /v1/management/scheduling/recalls/{recall_uid}`
   */
  updateRecall: {
    input: {
      /** Opaque identifier */
      recall_uid: string
      body?: UpdateRecallRequest
    }
    result: Recall
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Delete a recall
   * Needs the permission `scheduling:admin`.
   * `DELETE /v1/management/scheduling/recalls/{recall_uid}`
   */
  deleteRecall: {
    input: {
      /** Opaque identifier */
      recall_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read what became of recalls, by week
   * Recalls count in the week in which they were due. Needs the permission `scheduling:read`.
   * `GET /v1/management/statistics/recalls`
   */
  getRecallStatistics: {
    input: {
      /** The week of this second is the first one; by default the one twelve weeks ago */
      from?: number
      /** The week of this second is the last one; by default this one. At most 60 weeks */
      to?: number
    }
    result: GetRecallStatisticsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Ask one of your patients to come again
   * As a recall of the practice, with you as the doctor to book.
   * `POST /v1/doctor/recalls`
   */
  createOwnRecall: {
    input: {
      body: CreateOwnRecallRequest
    }
    result: Recall
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List absences, by start
   * Those that have not ended, unless `from` says otherwise; at most 500. Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/absences`
   */
  listAbsences: {
    input: {
      /** Ending after, Unix seconds; now, if omitted */
      from?: number
      /** Starting before, Unix seconds */
      to?: number
      /** Those of this doctor, and those of all doctors */
      doctor_uid?: string
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListAbsencesResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Enter an absence, and settle what is booked in it
   * In one transaction the time is closed for search and holds, and every held and confirmed appointment that starts in it is put down to be moved, cancelled or kept. They are settled afterwards, one by one; read the absence again to see how far. Needs the permission `scheduling:admin`.
   * `POST /v1/management/scheduling/absences`
   */
  createAbsence: {
    input: {
      body: CreateAbsenceRequest
    }
    result: Absence
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "number_changed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read an absence
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/absences/{absence_uid}`
   */
  getAbsence: {
    input: {
      /** Opaque identifier */
      absence_uid: string
    }
    result: Absence
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Change the time of an absence; only sent fields change
   * A doctor is back earlier: `to`. Appointments stay as they are. Needs the permission `scheduling:admin`.
   * `PATCH /v1/management/scheduling/absences/{absence_uid}`
   */
  updateAbsence: {
    input: {
      /** Opaque identifier */
      absence_uid: string
      body?: UpdateAbsenceRequest
    }
    result: Absence
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * End an absence
   * Its time is open again. Appointments that were moved or cancelled stay so; those that wait are kept. Needs the permission `scheduling:admin`.
   * `DELETE /v1/management/scheduling/absences/{absence_uid}`
   */
  deleteAbsence: {
    input: {
      /** Opaque identifier */
      absence_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List the appointments that an absence settles
   * Those that were left first, with the reason; at most 1,000. Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/absences/{absence_uid}/appointments`
   */
  listAbsenceAppointments: {
    input: {
      /** Opaque identifier */
      absence_uid: string
    }
    result: ListAbsenceAppointmentsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Ask those again who have not answered the offer of another time
   * Patients with the step `offer` whose appointment is still confirmed and to come get the message once more; those who moved or cancelled it do not. They are asked afterwards, one by one. Needs the permission `scheduling:admin`.
   * `POST /v1/management/scheduling/absences/{absence_uid}/ask-again`
   */
  askAgainForAbsence: {
    input: {
      /** Opaque identifier */
      absence_uid: string
      body?: AskAgainForAbsenceRequest
    }
    result: Absence
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "number_changed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List calendars kept elsewhere
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/doctors/{doctor_uid}/busy-sources`
   */
  listBusySources: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListBusySourcesResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Add a calendar kept elsewhere; it is read at once
   * Read every 10 minutes; only times are kept, no titles. An address in a private network is 400. Needs the permission `scheduling:admin`.
   * `POST /v1/management/scheduling/doctors/{doctor_uid}/busy-sources`
   */
  createBusySource: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      body: CreateBusySourceRequest
    }
    result: BusySource
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read a calendar kept elsewhere
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/doctors/{doctor_uid}/busy-sources/{busy_source_uid}`
   */
  getBusySource: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      /** Opaque identifier */
      busy_source_uid: string
    }
    result: BusySource
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Change a calendar kept elsewhere; only sent fields change
   * Needs the permission `scheduling:admin`.
   * `PATCH /v1/management/scheduling/doctors/{doctor_uid}/busy-sources/{busy_source_uid}`
   */
  updateBusySource: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      /** Opaque identifier */
      busy_source_uid: string
      body?: UpdateBusySourceRequest
    }
    result: BusySource
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Remove a calendar kept elsewhere, with its busy times
   * Needs the permission `scheduling:admin`.
   * `DELETE /v1/management/scheduling/doctors/{doctor_uid}/busy-sources/{busy_source_uid}`
   */
  deleteBusySource: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      /** Opaque identifier */
      busy_source_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read the calendar now
   * Needs the permission `scheduling:admin`.
   * `POST /v1/management/scheduling/doctors/{doctor_uid}/busy-sources/{busy_source_uid}/refresh`
   */
  refreshBusySource: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      /** Opaque identifier */
      busy_source_uid: string
    }
    result: BusySource
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List calendars kept elsewhere
   * `GET /v1/doctor/busy-sources`
   */
  listOwnBusySources: {
    input: {
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListBusySourcesResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Add a calendar kept elsewhere; it is read at once
   * Read every 10 minutes; only times are kept, no titles. An address in a private network is 400.
   * `POST /v1/doctor/busy-sources`
   */
  createOwnBusySource: {
    input: {
      body: CreateBusySourceRequest
    }
    result: BusySource
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read a calendar kept elsewhere
   * `GET /v1/doctor/busy-sources/{busy_source_uid}`
   */
  getOwnBusySource: {
    input: {
      /** Opaque identifier */
      busy_source_uid: string
    }
    result: BusySource
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Change a calendar kept elsewhere; only sent fields change
   * `PATCH /v1/doctor/busy-sources/{busy_source_uid}`
   */
  updateOwnBusySource: {
    input: {
      /** Opaque identifier */
      busy_source_uid: string
      body?: UpdateBusySourceRequest
    }
    result: BusySource
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Remove a calendar kept elsewhere, with its busy times
   * `DELETE /v1/doctor/busy-sources/{busy_source_uid}`
   */
  deleteOwnBusySource: {
    input: {
      /** Opaque identifier */
      busy_source_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read the calendar now
   * `POST /v1/doctor/busy-sources/{busy_source_uid}/refresh`
   */
  refreshOwnBusySource: {
    input: {
      /** Opaque identifier */
      busy_source_uid: string
    }
    result: BusySource
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List a doctor's connected calendars
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/doctors/{doctor_uid}/calendar-connections`
   */
  listCalendarConnections: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListCalendarConnectionsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read a doctor's connected calendars
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/doctors/{doctor_uid}/calendar-connections/{connection_uid}`
   */
  getCalendarConnection: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      /** Opaque identifier */
      connection_uid: string
    }
    result: CalendarConnection
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List your connected calendars
   * `GET /v1/doctor/calendar-connections`
   */
  listOwnCalendarConnections: {
    input: {
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListCalendarConnectionsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Connect a calendar
   * For `microsoft` and `google` the answer has the address of the provider's page; a console session of the doctor finishes it.
   * `POST /v1/doctor/calendar-connections`
   */
  createOwnCalendarConnection: {
    input: {
      body: CreateOwnCalendarConnectionRequest
    }
    result: CreateOwnCalendarConnectionResponse
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read a connected account
   * `GET /v1/doctor/calendar-connections/{connection_uid}`
   */
  getOwnCalendarConnection: {
    input: {
      /** Opaque identifier */
      connection_uid: string
    }
    result: CalendarConnection
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Choose the calendars that are read, and the one that is written
   * `PATCH /v1/doctor/calendar-connections/{connection_uid}`
   */
  updateOwnCalendarConnection: {
    input: {
      /** Opaque identifier */
      connection_uid: string
      body?: UpdateOwnCalendarConnectionRequest
    }
    result: CalendarConnection
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Disconnect; written entries stay
   * `DELETE /v1/doctor/calendar-connections/{connection_uid}`
   */
  deleteOwnCalendarConnection: {
    input: {
      /** Opaque identifier */
      connection_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List the providers whose calendars can be connected on a page of theirs
   * Those that the service has settings for. CalDAV servers can always be connected.
   * `GET /v1/doctor/calendar-providers`
   */
  listCalendarProviders: {
    input: {}
    result: ListCalendarProvidersResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List your appointments that your own calendar has otherwise
   * Removed there, at another time there, or not written for an hour; not over, by start. The appointments stay as they are.
   * `GET /v1/doctor/calendar-entries`
   */
  listDifferingCalendarEntries: {
    input: {}
    result: ListDifferingCalendarEntriesResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Put an appointment's entry back into your own calendar
   * Put an appointment's entry back into your own calendar. A repeated request runs again.
   * `POST /v1/doctor/calendar-entries/{appointment_uid}/restore`
   */
  restoreCalendarEntry: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List the waiting list, by age
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/waitlist-entries`
   */
  listWaitlistEntries: {
    input: {
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** Changed after, Unix seconds */
      updated_after?: number
      /** Opaque identifier */
      patient_uid?: string
      /** Opaque identifier */
      appointment_type_uid?: string
      /** `offered`: an offer is open; `paused`: three offers were left unanswered; `booked`: one was accepted */
      status?: "waiting" | "offered" | "paused" | "booked" | "ended"
      /** How much the patient needs it: `urgent` is asked first, then `soon`; set by keys and staff alone */
      need?: "routine" | "soon" | "urgent"
    }
    result: ListWaitlistEntriesResponse
    item: WaitlistEntry
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Put a patient on the waiting list
   * Time that becomes free is offered to those whom it fits, by `need`, then by age. The same wish again is 200 with the first entry; a patient has at most five live entries. With `appointment_uid` an earlier time moves that appointment. Needs the permission `scheduling:write`.
   * `POST /v1/management/scheduling/waitlist-entries`
   */
  createWaitlistEntry: {
    input: {
      body: CreateWaitlistEntryRequest
    }
    result: WaitlistEntry
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_entries" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read a waiting-list entry
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/waitlist-entries/{waitlist_entry_uid}`
   */
  getWaitlistEntry: {
    input: {
      /** Opaque identifier */
      waitlist_entry_uid: string
    }
    result: WaitlistEntry
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Change a waiting-list entry; only sent fields change
   * It keeps its place. `status: "waiting"` goes on after a pause; `ended` is final. Needs the permission `scheduling:write`.
   * `PATCH /v1/management/scheduling/waitlist-entries/{waitlist_entry_uid}`
   */
  updateWaitlistEntry: {
    input: {
      /** Opaque identifier */
      waitlist_entry_uid: string
      body?: UpdateWaitlistEntryRequest
    }
    result: WaitlistEntry
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type" | "waitlist_entry_over"
  }

  /**
   * Delete a waiting-list entry
   * An open offer ends, and its time is offered to the next. Needs the permission `scheduling:write`.
   * `DELETE /v1/management/scheduling/waitlist-entries/{waitlist_entry_uid}`
   */
  deleteWaitlistEntry: {
    input: {
      /** Opaque identifier */
      waitlist_entry_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read what an entry was offered, and why others were asked first
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/waitlist-entries/{waitlist_entry_uid}/offers`
   */
  listWaitlistEntryOffers: {
    input: {
      /** Opaque identifier */
      waitlist_entry_uid: string
    }
    result: WaitlistEntryOffers
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Wait for a time that becomes free
   * For the session's patient and type. One entry a launch code: sent again with another wish it is changed, keeps its place, and is 200.
   * `POST /v1/scheduling/booking-sessions/{booking_launch_code}/waitlist-entry`
   */
  createOwnWaitlistEntry: {
    input: {
      /** The only credential of the session */
      booking_launch_code: string
      body?: CreateOwnWaitlistEntryRequest
    }
    result: WaitlistEntry
    item: never
    code: "body_too_large" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_entries" | "too_many_requests" | "unavailable" | "unsupported_media_type" | "waitlist_entry_over"
  }

  /**
   * Read the launch code's waiting-list entry
   * `GET /v1/scheduling/booking-sessions/{booking_launch_code}/waitlist-entry`
   */
  getOwnWaitlistEntry: {
    input: {
      /** The only credential of the session */
      booking_launch_code: string
    }
    result: WaitlistEntry
    item: never
    code: "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unavailable"
  }

  /**
   * Leave the waiting list
   * `DELETE /v1/scheduling/booking-sessions/{booking_launch_code}/waitlist-entry`
   */
  deleteOwnWaitlistEntry: {
    input: {
      /** The only credential of the session */
      booking_launch_code: string
    }
    result: undefined
    item: never
    code: "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unavailable"
  }

  /**
   * Read an offer of the waiting list
   * Reading changes nothing. A removed entry is 404.
   * `GET /v1/scheduling/waitlist-offers/{code}`
   */
  getWaitlistOffer: {
    input: {
      /** The only credential of the offer */
      code: string
    }
    result: WaitlistOffer
    item: never
    code: "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unavailable"
  }

  /**
   * Accept an offer
   * Books the time, or moves the entry's appointment to it. 409 `slot_taken` when it is lost. A lapsed offer can be accepted while its time is free; again it is the same record.
   * `POST /v1/scheduling/waitlist-offers/{code}/accept`
   */
  acceptWaitlistOffer: {
    input: {
      /** The only credential of the offer */
      code: string
    }
    result: ConfirmedAppointment
    item: never
    code: "internal" | "invalid_request" | "method_not_allowed" | "not_confirmable" | "not_found" | "overloaded" | "patient_restricted" | "slot_taken" | "too_many_appointments" | "too_many_requests" | "unavailable"
  }

  /**
   * Decline an offer
   * The entry keeps its place; the time is offered to the next.
   * `POST /v1/scheduling/waitlist-offers/{code}/decline`
   */
  declineWaitlistOffer: {
    input: {
      /** The only credential of the offer */
      code: string
    }
    result: WaitlistOffer
    item: never
    code: "internal" | "invalid_request" | "method_not_allowed" | "not_confirmable" | "not_found" | "overloaded" | "too_many_requests" | "unavailable"
  }

  /**
   * Read the domain's time
   * `GET /v1/sandbox/clock`
   */
  getSandboxClock: {
    input: {}
    result: SandboxClock
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Move the domain's time forward and run what is then due
   * Either advance_seconds or now; forward only, at most five years ahead of real time. All replicas follow. Holds expire, reminders are sent, appointments finish and webhooks are retried before the response. Tokens are still checked against real time. With SANDBOX_PERMISSION=true the key needs sandbox:clock.
   * `POST /v1/sandbox/clock`
   */
  moveSandboxClock: {
    input: {
      body: MoveSandboxClockRequest
    }
    result: SandboxClock
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Book a series of appointments in one transaction
   * The wall-clock time is kept across clock changes. With `on_conflict: fail` a conflict is 409 `slot_taken`, whose body has the first `start_date` in conflict. Needs the permission `scheduling:write`.
   * `POST /v1/management/scheduling/appointment-series`
   */
  bookAppointmentSeries: {
    input: {
      body: BookAppointmentSeriesRequest
    }
    result: BookAppointmentSeriesResponse
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_confirmed" | "not_found" | "overloaded" | "patient_restricted" | "slot_taken" | "too_many_appointments" | "too_many_holds" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Cancel the appointments of a series that have not begun
   * Needs the permission `scheduling:write`.
   * `POST /v1/management/scheduling/appointment-series/{series_uid}/cancel`
   */
  cancelAppointmentSeries: {
    input: {
      /** Opaque identifier */
      series_uid: string
      body: CancelAppointmentSeriesRequest
    }
    result: CancelledSeries
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read weekly statistics by doctor
   * By week, then by doctor's name. Appointments count in the week of their start. Needs the permission `scheduling:read`.
   * `GET /v1/management/statistics`
   */
  getStatistics: {
    input: {
      /** The week of this second is the first one; by default the one twelve weeks ago */
      from?: number
      /** The week of this second is the last one; by default this one. At most 60 weeks */
      to?: number
    }
    result: GetStatisticsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read the weekly use of resources
   * By week, then by the resource's name. Appointments count in the week of their start. Needs the permission `scheduling:read`.
   * `GET /v1/management/statistics/resources`
   */
  getResourceStatistics: {
    input: {
      /** The week of this second is the first one; by default the one twelve weeks ago */
      from?: number
      /** The week of this second is the last one; by default this one. At most 60 weeks */
      to?: number
    }
    result: GetResourceStatisticsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Export all data of a patient
   * URLs of files are valid for five minutes. Publishes one `patient.exported` event. Needs the permission `patients:admin`. A repeated request runs again.
   * `POST /v1/management/patients/{patient_uid}/export`
   */
  exportPatientRights: {
    input: {
      /** Opaque identifier */
      patient_uid: string
    }
    result: PatientExport
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Export all data of a patient as a printable page
   * The same as `export`, in HTML without scripts, links to files included. Needs the permission `patients:admin`. A repeated request runs again.
   * `POST /v1/management/patients/{patient_uid}/export-document`
   */
  exportDocumentPatientRights: {
    input: {
      /** Opaque identifier */
      patient_uid: string
    }
    result: ArrayBuffer
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Erase a patient
   * Cancels future appointments. Records that the law requires are kept encrypted; the response lists them with reason and retention. It cannot be undone. A repetition is 404. Publishes one `patient.erased` event. Needs the permission `patients:admin`.
   * `POST /v1/management/patients/{patient_uid}/erase`
   */
  erasePatientRights: {
    input: {
      /** Opaque identifier */
      patient_uid: string
      body: ErasePatientRightsRequest
    }
    result: Erased
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Merge a patient into another record of the same person
   * Appointments, prescriptions, orders, consents and all else belong to `into` afterwards; its values count, and those that it lacks are taken over. The record is gone. `dry_run` shows the result. It cannot be undone. Publishes one `patient.merged` event. Needs the permission `patients:admin`.
   * `POST /v1/management/patients/{patient_uid}/merge`
   */
  mergePatient: {
    input: {
      /** Opaque identifier */
      patient_uid: string
      body: MergePatientRequest
    }
    result: MergedPatient
    item: never
    code: "body_too_large" | "both_have_accounts" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "patient_restricted" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Restrict the processing of a patient's data, or lift the restriction
   * While restricted, nothing is booked for the patient, nothing is sent to the patient, booking tokens do not change the profile, and retention does not delete it. Reading, correcting and erasing stay possible. Needs the permission `patients:admin`.
   * `POST /v1/management/patients/{patient_uid}/restrict`
   */
  restrictPatientRights: {
    input: {
      /** Opaque identifier */
      patient_uid: string
      body: RestrictPatientRightsRequest
    }
    result: Patient
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List forms
   * Needs the permission `organisation:admin`.
   * `GET /v1/management/forms`
   */
  listForms: {
    input: {
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListFormsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Make a form
   * Needs the permission `organisation:admin`.
   * `POST /v1/management/forms`
   */
  createForm: {
    input: {
      body: CreateFormRequest
    }
    result: Form
    item: never
    code: "body_too_large" | "files_off" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read a form
   * Needs the permission `organisation:admin`.
   * `GET /v1/management/forms/{form_uid}`
   */
  getForm: {
    input: {
      /** Opaque identifier */
      form_uid: string
    }
    result: Form
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Change a form; only sent fields change
   * A change of `items` makes a new version; what was answered before keeps its own. Needs the permission `organisation:admin`.
   * `PATCH /v1/management/forms/{form_uid}`
   */
  updateForm: {
    input: {
      /** Opaque identifier */
      form_uid: string
      body?: UpdateFormRequest
    }
    result: Form
    item: never
    code: "body_too_large" | "files_off" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Delete a form that nothing asks
   * Needs the permission `organisation:admin`.
   * `DELETE /v1/management/forms/{form_uid}`
   */
  deleteForm: {
    input: {
      /** Opaque identifier */
      form_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "form_in_use" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read what is asked before times are shown
   * `GET /v1/scheduling/booking-sessions/{booking_launch_code}/entry`
   */
  getSessionEntry: {
    input: {
      /** The only credential of the session */
      booking_launch_code: string
    }
    result: EntryState
    item: never
    code: "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unavailable"
  }

  /**
   * Answer what is asked before times are shown
   * With `type` the session is for another appointment type from then on.
   * `PUT /v1/scheduling/booking-sessions/{booking_launch_code}/entry`
   */
  answerSessionEntry: {
    input: {
      /** The only credential of the session */
      booking_launch_code: string
      body?: AnswerSessionEntryRequest
    }
    result: EntryOutcome
    item: never
    code: "body_too_large" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "patient_restricted" | "too_many_requests" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Add a file to the questions before booking
   * A PDF, JPEG or PNG of at most 10 MiB, recognised by its content. Pictures lose their metadata. Nobody reads it before it is scanned.
   * `POST /v1/scheduling/booking-sessions/{booking_launch_code}/entry/files`
   */
  addEntryFile: {
    input: {
      /** The only credential of the session */
      booking_launch_code: string
      /** The file's name, as the practice reads it */
      name?: string
    }
    result: FormFile
    item: never
    code: "body_too_large" | "files_off" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "patient_restricted" | "too_many_files" | "too_many_requests" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read a form of the appointment with its answers
   * `GET /v1/scheduling/appointment-actions/{code}/intake/{form_uid}`
   */
  getIntake: {
    input: {
      /** A code of the appointment */
      code: string
      /** Opaque identifier */
      form_uid: string
    }
    result: AskedForm
    item: never
    code: "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unavailable"
  }

  /**
   * Answer a form of the appointment
   * With `complete: false` a draft, in which required answers may be missing. Until the start; until the end where it is not complete.
   * `PUT /v1/scheduling/appointment-actions/{code}/intake/{form_uid}`
   */
  answerIntake: {
    input: {
      /** A code of the appointment */
      code: string
      /** Opaque identifier */
      form_uid: string
      body?: AnswerIntakeRequest
    }
    result: AskedForm
    item: never
    code: "body_too_large" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "not_possible_any_more" | "overloaded" | "patient_restricted" | "too_many_requests" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Add a file to a form of the appointment
   * A PDF, JPEG or PNG of at most 10 MiB, recognised by its content. Pictures lose their metadata. Nobody reads it before it is scanned.
   * `POST /v1/scheduling/appointment-actions/{code}/intake/{form_uid}/files`
   */
  addIntakeFile: {
    input: {
      /** A code of the appointment */
      code: string
      /** Opaque identifier */
      form_uid: string
      /** The file's name, as the practice reads it */
      name?: string
    }
    result: FormFile
    item: never
    code: "body_too_large" | "files_off" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "not_possible_any_more" | "overloaded" | "patient_restricted" | "too_many_files" | "too_many_requests" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read what the patient has answered before booking and before the visit
   * Needs the permission `intake:read`.
   * `GET /v1/management/scheduling/appointments/{appointment_uid}/intake`
   */
  getAppointmentIntake: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
    }
    result: GetAppointmentIntakeResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read what your patient has answered before booking and before the visit
   * `GET /v1/doctor/appointments/{appointment_uid}/intake`
   */
  getOwnAppointmentIntake: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
    }
    result: GetAppointmentIntakeResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Let the patient in although a form is missing
   * For this appointment, also after a move. Calling it again changes nothing.
   * `POST /v1/doctor/appointments/{appointment_uid}/let-in`
   */
  letPatientIn: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List types of requests
   * Needs the permission `organisation:admin`.
   * `GET /v1/management/request-types`
   */
  listRequestTypes: {
    input: {
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListRequestTypesResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Make a type of request
   * Needs the permission `organisation:admin`.
   * `POST /v1/management/request-types`
   */
  createRequestType: {
    input: {
      body: CreateRequestTypeRequest
    }
    result: RequestType
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read a type of request
   * Needs the permission `organisation:admin`.
   * `GET /v1/management/request-types/{request_type_uid}`
   */
  getRequestType: {
    input: {
      /** Opaque identifier */
      request_type_uid: string
    }
    result: RequestType
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Change a type of request; only sent fields change
   * Needs the permission `organisation:admin`.
   * `PATCH /v1/management/request-types/{request_type_uid}`
   */
  updateRequestType: {
    input: {
      /** Opaque identifier */
      request_type_uid: string
      body?: UpdateRequestTypeRequest
    }
    result: RequestType
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Delete a type of request
   * What was sent with it stays. Needs the permission `organisation:admin`.
   * `DELETE /v1/management/request-types/{request_type_uid}`
   */
  deleteRequestType: {
    input: {
      /** Opaque identifier */
      request_type_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List requests, the oldest first
   * Without what was asked and answered. Needs the permission `intake:read`.
   * `GET /v1/management/requests`
   */
  listPatientRequests: {
    input: {
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** Changed after, Unix seconds */
      updated_after?: number
      /** Only of this status */
      status?: "open" | "taken" | "answered" | "closed"
      /** Only what waits: what nobody has taken, what the caller has taken and not closed, what is overdue */
      inbox?: "open" | "mine" | "overdue"
      /** Only this patient's */
      patient_uid?: string
    }
    result: ListPatientRequestsResponse
    item: ListedPatientRequest
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Count the requests that wait
   * Needs the permission `intake:read`.
   * `GET /v1/management/statistics/requests`
   */
  countPatientRequests: {
    input: {}
    result: RequestCounts
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read a request with its answers
   * Needs the permission `intake:read`.
   * `GET /v1/management/requests/{request_uid}`
   */
  getPatientRequest: {
    input: {
      /** Opaque identifier */
      request_uid: string
    }
    result: ReadPatientRequest
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Take care of a request
   * Also in place of another. Needs the permission `patients:write`.
   * `POST /v1/management/requests/{request_uid}/take`
   */
  takePatientRequest: {
    input: {
      /** Opaque identifier */
      request_uid: string
    }
    result: PatientRequest
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "request_closed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Answer a request
   * The patient gets a link to the text, never the text itself. Answering takes. Needs the permission `patients:write`.
   * `POST /v1/management/requests/{request_uid}/answer`
   */
  answerPatientRequest: {
    input: {
      /** Opaque identifier */
      request_uid: string
      body: AnswerPatientRequestRequest
    }
    result: PatientRequest
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "request_closed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Close a request
   * `text` replaces an earlier answer. Needs the permission `patients:write`.
   * `POST /v1/management/requests/{request_uid}/close`
   */
  closePatientRequest: {
    input: {
      /** Opaque identifier */
      request_uid: string
      body: ClosePatientRequestRequest
    }
    result: PatientRequest
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "request_closed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List the requests to you that are not closed, the oldest first
   * `GET /v1/doctor/requests`
   */
  listOwnPatientRequests: {
    input: {}
    result: ListOwnPatientRequestsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read a request with its answers
   * `GET /v1/doctor/requests/{request_uid}`
   */
  getOwnPatientRequest: {
    input: {
      /** Opaque identifier */
      request_uid: string
    }
    result: ReadPatientRequest
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Answer a request
   * As the practice's operation of the same name, for requests to the doctor.
   * `POST /v1/doctor/requests/{request_uid}/answer`
   */
  answerOwnPatientRequest: {
    input: {
      /** Opaque identifier */
      request_uid: string
      body: AnswerPatientRequestRequest
    }
    result: PatientRequest
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "request_closed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Close a request
   * As the practice's operation of the same name, for requests to the doctor.
   * `POST /v1/doctor/requests/{request_uid}/close`
   */
  closeOwnPatientRequest: {
    input: {
      /** Opaque identifier */
      request_uid: string
      body: ClosePatientRequestRequest
    }
    result: PatientRequest
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "request_closed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Ask the practice in writing
   * `POST /v1/scheduling/booking-sessions/{booking_launch_code}/requests`
   */
  createSessionRequest: {
    input: {
      /** The only credential of the session */
      booking_launch_code: string
      body: CreateSessionRequestRequest
    }
    result: CreateSessionRequestResponse
    item: never
    code: "body_too_large" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "patient_restricted" | "too_many_open_requests" | "too_many_requests" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Add a file to a request that is sent next
   * A PDF, JPEG or PNG of at most 10 MiB, recognised by its content. Pictures lose their metadata. Nobody reads it before it is scanned.
   * `POST /v1/scheduling/booking-sessions/{booking_launch_code}/requests/files`
   */
  addRequestFile: {
    input: {
      /** The only credential of the session */
      booking_launch_code: string
      /** The file's name, as the practice reads it */
      name?: string
    }
    result: FormFile
    item: never
    code: "body_too_large" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "patient_restricted" | "too_many_requests" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Download a file of a form
   * The address comes from `files[].url`; 404 if it is altered or expired. An attachment.
   * `GET /v1/form-files/{token}`
   */
  downloadFormFile: {
    input: {
      /** Signed address of the file */
      token: string
    }
    result: ArrayBuffer
    item: never
    code: "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unavailable"
  }

  /**
   * List FHIR clients, by name
   * `GET /v1/admin/fhir-clients`
   */
  listFhirClients: {
    input: {
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListFhirClientsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Register a FHIR client with its public keys
   * `POST /v1/admin/fhir-clients`
   */
  createFhirClient: {
    input: {
      body: CreateFhirClientRequest
    }
    result: FhirClient
    item: never
    code: "already_used" | "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Change a FHIR client; only sent fields change
   * Its access tokens follow at once.
   * `PATCH /v1/admin/fhir-clients/{client_id}`
   */
  updateFhirClient: {
    input: {
      /** Name by which it authenticates */
      client_id: string
      body?: UpdateFhirClientRequest
    }
    result: FhirClient
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Delete a FHIR client; its access tokens end immediately
   * `DELETE /v1/admin/fhir-clients/{client_id}`
   */
  deleteFhirClient: {
    input: {
      /** Name by which it authenticates */
      client_id: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List people of the practice, by name
   * Those to whom the identity provider gives a role, from their first sign-in, and those who were invited; removed people included. Needs the permission `organisation:admin`.
   * `GET /v1/management/staff`
   */
  listStaffPeople: {
    input: {
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListStaffPeopleResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Invite a person to the practice's workspace
   * The link is also mailed. By it the person signs in, once; the role then counts for whoever signed in. Needs the permission `organisation:admin`.
   * `POST /v1/management/staff`
   */
  createStaffPerson: {
    input: {
      body: CreateStaffPersonRequest
    }
    result: CreateStaffPersonResponse
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Read a person of the practice
   * Needs the permission `organisation:admin`.
   * `GET /v1/management/staff/{staff_person_uid}`
   */
  getStaffPerson: {
    input: {
      /** Opaque identifier */
      staff_person_uid: string
    }
    result: StaffPerson
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Change a person of the practice; only sent fields change
   * A role that is set here counts instead of the provider's. Needs the permission `organisation:admin`.
   * `PATCH /v1/management/staff/{staff_person_uid}`
   */
  updateStaffPerson: {
    input: {
      /** Opaque identifier */
      staff_person_uid: string
      body?: UpdateStaffPersonRequest
    }
    result: StaffPerson
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Remove a person: they may no longer sign in to the practice
   * Also a person with a role of the identity provider. The name stays for the audit log. Needs the permission `organisation:admin`.
   * `DELETE /v1/management/staff/{staff_person_uid}`
   */
  deleteStaffPerson: {
    input: {
      /** Opaque identifier */
      staff_person_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Make a new invitation link; an earlier one ends
   * It is also mailed to the person, who needs a mail address. Whoever signs in by it becomes this person. A removed person may then sign in again. Needs the permission `organisation:admin`.
   * `POST /v1/management/staff/{staff_person_uid}/invitation`
   */
  inviteStaffPerson: {
    input: {
      /** Opaque identifier */
      staff_person_uid: string
    }
    result: CreateStaffPersonResponse
    item: never
    code: "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Make an access token of the console's session
   * The credential is the session's cookie. The token is valid for 15 minutes, and ends with the session.
   * `POST /v1/staff/tokens`
   */
  createStaffToken: {
    input: {}
    result: CreateStaffTokenResponse
    item: never
    code: "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read the calendar of all doctors and resources
   * Open hours, busy times, days off and holidays of at most 32 days, for a calendar in columns, and the patients who are waiting or in a call now. Appointments and free times are in their own lists. Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/calendar`
   */
  getCalendar: {
    input: {
      /** Start of the range, Unix seconds */
      from: number
      /** End of the range, Unix seconds; at most 32 days after from */
      to: number
      /** Only this doctor; if omitted, all doctors and resources */
      doctor_uid?: string
    }
    result: Calendar
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Preview the effects of a date override
   * Changes nothing. The slots are those that a search would find before and after, of up to 100 bookable types. Needs the permission `scheduling:admin`. A repeated request runs again.
   * `POST /v1/management/scheduling/doctors/{doctor_uid}/availability-date-overrides/preview`
   */
  previewDateOverride: {
    input: {
      /** Opaque identifier */
      doctor_uid: string
      body: PreviewDateOverrideRequest
    }
    result: DateOverrideEffects
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Preview which appointments a change or the deletion of a resource hits
   * Changes nothing. Needs the permission `scheduling:admin`. A repeated request runs again.
   * `POST /v1/management/scheduling/resources/{resource_uid}/preview`
   */
  previewResourceChange: {
    input: {
      /** Opaque identifier */
      resource_uid: string
      body?: PreviewResourceChangeRequest
    }
    result: ResourceEffects
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Preview which appointments a date override of a resource hits
   * Changes nothing. Needs the permission `scheduling:admin`. A repeated request runs again.
   * `POST /v1/management/scheduling/resources/{resource_uid}/availability-date-overrides/preview`
   */
  previewResourceDateOverride: {
    input: {
      /** Opaque identifier */
      resource_uid: string
      body: PreviewDateOverrideRequest
    }
    result: ResourceEffects
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List messages with their outcome
   * Latest first, until retention deletes them. Their text is not stored. Needs the permission `scheduling:read`.
   * `GET /v1/management/messages`
   */
  listMessages: {
    input: {
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** Only messages of this status */
      status?: "pending" | "sent" | "failed" | "skipped"
      /** Only messages to this patient */
      patient_uid?: string
      /** Only those about appointments that a patient did not get, for want of an address or since it failed, and was not told otherwise */
      unreached?: "true"
    }
    result: ListMessagesResponse
    item: SentMessage
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Send a message again
   * One that was sent, failed or was skipped, with what is true now; one that waits stays as it is. Needs the permission `scheduling:write`.
   * `POST /v1/management/messages/{message_uid}/resend`
   */
  resendMessage: {
    input: {
      /** Opaque identifier */
      message_uid: string
    }
    result: SentMessage
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Note that somebody told the recipient otherwise
   * Such as by telephone, where the message did not arrive. Sending it again takes that back. Needs the permission `scheduling:write`.
   * `POST /v1/management/messages/{message_uid}/told`
   */
  markMessageTold: {
    input: {
      /** Opaque identifier */
      message_uid: string
    }
    result: SentMessage
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Preview a mail
   * For a sample appointment; nothing is sent. Needs the permission `scheduling:read`.
   * `GET /v1/management/messages/preview`
   */
  previewMessage: {
    input: {
      /** Type of the appointment */
      appointment_type_uid: string
      /** Subject of the message */
      kind?: ("reminder" | "confirmation" | "cancellation" | "rebooking" | "times_offered" | "doctor_late") | null
      /** Role of the recipient */
      recipient_role?: ("patient" | "doctor" | "admin") | null
      /** Language of the mail */
      language?: ("de" | "en") | null
    }
    result: MessagePreview
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Preview own texts of a message
   * As a patient would get them, with made-up facts; nothing is stored or sent. Needs the permission `scheduling:read`.
   * `POST /v1/management/messages/preview`
   */
  previewMessageTexts: {
    input: {
      body: MessageText
    }
    result: MessageTextPreview
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List the patients in your waiting rooms
   * In all rooms, the longest wait first.
   * `GET /v1/doctor/waiting`
   */
  listWaitingPatients: {
    input: {}
    result: ListWaitingPatientsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Tell your next patients that you are late
   * By mail, else by SMS, on their appointments' pages and in the waiting room. Answers the appointments to which it is new; another call with the same minutes tells nobody twice.
   * `POST /v1/doctor/late`
   */
  announceDelay: {
    input: {
      body: AnnounceDelayRequest
    }
    result: AnnounceDelayResponse
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Find your patients
   * Those with an appointment with you, past or future; at most 50, those added last first.
   * `GET /v1/doctor/patients`
   */
  findOwnPatients: {
    input: {
      /** As in the practice's list of patients (Rule 12.1.8) */
      search?: string
    }
    result: FindOwnPatientsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read a patient with their visits to the practice
   * 404 for a patient who has never had an appointment with the doctor.
   * `GET /v1/doctor/patients/{patient_uid}`
   */
  getOwnPatient: {
    input: {
      /** Opaque identifier */
      patient_uid: string
    }
    result: PatientCard
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read your note on an appointment
   * `GET /v1/doctor/appointments/{appointment_uid}/note`
   */
  getAppointmentNote: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
    }
    result: AppointmentNote
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Write your note on an appointment
   * Encrypted with the organisation's key; neither events nor lists show it.
   * `PUT /v1/doctor/appointments/{appointment_uid}/note`
   */
  putAppointmentNote: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
      body: PutAppointmentNoteRequest
    }
    result: AppointmentNote
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List the prescriptions that wait for you
   * Prescriptions of the doctor and of no doctor, oldest first; at most 100.
   * `GET /v1/doctor/prescriptions`
   */
  listWaitingPrescriptions: {
    input: {}
    result: ListWaitingPrescriptionsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Write a prescription for one of your patients
   * It waits for your signature: render it, sign the PDF, and register it as signed.
   * `POST /v1/doctor/prescriptions`
   */
  createOwnPrescription: {
    input: {
      body: CreateOwnPrescriptionRequest
    }
    result: WaitingPrescription
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Cancel one of your appointments
   * Allowed: `held` → `cancelled`; `confirmed` → `cancelled` (patients: outside the cancellation notice). From any other status: 409, and nothing changes. The cancellation notice does not apply.
   * `POST /v1/doctor/appointments/{appointment_uid}/cancel`
   */
  cancelOwnAppointment: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
      body: CancelAppointmentRequest
    }
    result: StaffCancelledAppointment
    item: never
    code: "appointment_cancelled" | "appointment_completed" | "appointment_expired" | "appointment_no_show" | "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Move one of your appointments to another of your times
   * `POST /v1/doctor/appointments/{appointment_uid}/move`
   */
  moveOwnAppointment: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
      body: MoveOwnAppointmentRequest
    }
    result: StaffRebookedAppointment
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_confirmed" | "not_found" | "overloaded" | "patient_restricted" | "slot_taken" | "too_many_appointments" | "too_many_holds" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Render the unsigned PDF of a prescription
   * `POST /v1/doctor/prescriptions/{prescription_uid}/render`
   */
  renderWaitingPrescription: {
    input: {
      /** Opaque identifier */
      prescription_uid: string
    }
    result: RenderPrescriptionResponse
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Register a prescription as signed outside the service
   * `POST /v1/doctor/prescriptions/{prescription_uid}/external-sign`
   */
  signWaitingPrescription: {
    input: {
      /** Opaque identifier */
      prescription_uid: string
    }
    result: SignPrescriptionExternallyResponse
    item: never
    code: "forbidden" | "has_anamnesis" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "not_rendered" | "not_waiting_for_doctor" | "overloaded" | "rendered_again" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Upload the signed PDF of a prescription
   * Registers it as signed with this file in place of the rendered one; `signature` then says what its examination found. 400 for a file that was changed after it was signed.
   * `POST /v1/doctor/prescriptions/{prescription_uid}/signed-file`
   */
  uploadSignedPrescription: {
    input: {
      /** Opaque identifier */
      prescription_uid: string
      body: UploadSignedPrescriptionRequest
    }
    result: SignPrescriptionExternallyResponse
    item: never
    code: "body_too_large" | "forbidden" | "has_anamnesis" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "not_waiting_for_doctor" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List your days off and special hours
   * `GET /v1/doctor/availability-date-overrides`
   */
  listOwnDateOverrides: {
    input: {
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** UTC midnight of a calendar date, inclusive */
      from?: number
      /** UTC midnight of a calendar date, inclusive */
      to?: number
      /** Changed after, Unix seconds */
      updated_after?: number
    }
    result: ListDateOverridesResponse
    item: DateOverride
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Take a day off, or set special hours
   * Booked appointments stay until they are cancelled or moved.
   * `POST /v1/doctor/availability-date-overrides`
   */
  createOwnDateOverride: {
    input: {
      body: CreateDateOverrideRequest
    }
    result: DateOverride
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Preview the effects of a day off or special hours
   * Changes nothing. `hit` lists your booked appointments outside of the new hours. A repeated request runs again.
   * `POST /v1/doctor/availability-date-overrides/preview`
   */
  previewOwnDateOverride: {
    input: {
      body: PreviewDateOverrideRequest
    }
    result: DateOverrideEffects
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Change a day off or special hours; only sent fields change
   * `PATCH /v1/doctor/availability-date-overrides/{override_uid}`
   */
  updateOwnDateOverride: {
    input: {
      /** Opaque identifier */
      override_uid: string
      body?: UpdateDateOverrideRequest
    }
    result: DateOverride
    item: never
    code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Delete a day off or special hours
   * `DELETE /v1/doctor/availability-date-overrides/{override_uid}`
   */
  deleteOwnDateOverride: {
    input: {
      /** Opaque identifier */
      override_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read whether your calendar has a URL
   * `GET /v1/doctor/calendar-feed`
   */
  getOwnCalendarFeed: {
    input: {}
    result: CalendarFeed
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Create the secret URL of your calendar, for a calendar application
   * Shown only in this response. An earlier URL is revoked.
   * `POST /v1/doctor/calendar-feed`
   */
  createOwnCalendarFeed: {
    input: {}
    result: CreateOwnCalendarFeedResponse
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Revoke the URL of your calendar
   * `DELETE /v1/doctor/calendar-feed`
   */
  revokeOwnCalendarFeed: {
    input: {}
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read a doctor's calendar (iCalendar)
   * Confirmed appointments from a month ago to a year ahead: times, type and place, without the patient, since calendars are stored elsewhere. A revoked URL is 404.
   * `GET /v1/calendar-feeds/{code}`
   */
  readCalendarFeed: {
    input: {
      /** The only credential of the address */
      code: string
    }
    result: ArrayBuffer
    item: never
    code: "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unavailable"
  }

  /**
   * Read health, versions, replicas, the master key's state, mails, disk, backup and errors
   * `GET /v1/operator/status`
   */
  getInstallationStatus: {
    input: {}
    result: InstallationStatus
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Find organisations and pharmacies
   * By name.
   * `GET /v1/operator/owners`
   */
  listOwners: {
    input: {
      /** 0-indexed page; behind `after` where that is sent */
      page?: number | null
      limit?: number | null
      /** Where to go on: `next` of an earlier answer */
      after?: string
      /** Only these */
      kind?: "organisation" | "pharmacy"
      /** Only those with these uids, separated by commas */
      uids?: string
      /** Part of the name, of the uid or of a shop's identifier */
      search?: string
    }
    result: ListOwnersResponse
    item: Owner
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read what an organisation lacks, its mails and its members
   * The read is recorded in the organisation's log.
   * `GET /v1/operator/organisations/{organisation_uid}`
   */
  getOrganisationState: {
    input: {
      /** Opaque identifier */
      organisation_uid: string
    }
    result: OrganisationState
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List the queues with their job counts
   * `GET /v1/operator/queues`
   */
  listJobQueues: {
    input: {}
    result: ListJobQueuesResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List dead letters: jobs that have failed all attempts
   * Latest first; at most 200. They are kept for 30 days.
   * `GET /v1/operator/dead-letters`
   */
  listDeadLetters: {
    input: {}
    result: ListDeadLettersResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Send a dead letter back to its queue, with a new set of attempts
   * `POST /v1/operator/dead-letters/{dead_letter_uid}/retry`
   */
  retryDeadLetter: {
    input: {
      /** Identifier of the dead letter */
      dead_letter_uid: string
    }
    result: DeadLetter
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Delete a dead letter
   * `DELETE /v1/operator/dead-letters/{dead_letter_uid}`
   */
  deleteDeadLetter: {
    input: {
      /** Identifier of the dead letter */
      dead_letter_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List the webhook backlog by subscription
   * Subscriptions with pending or failed deliveries; the longest wait first, at most 500.
   * `GET /v1/operator/webhooks`
   */
  listWebhookBacklog: {
    input: {}
    result: ListWebhookBacklogResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Send a subscription's failed deliveries again
   * With the same `webhook-id`, a new set of attempts, and in order.
   * `POST /v1/operator/webhooks/{subscription_uid}/replay`
   */
  replayWebhookBacklog: {
    input: {
      /** Opaque identifier */
      subscription_uid: string
      body: ReplayWebhookBacklogRequest
    }
    result: ReplayWebhookBacklogResponse
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "subscription_inactive" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List payouts that wait for an operator
   * By pharmacy, the oldest orders first; at most 1,000.
   * `GET /v1/operator/parked-payouts`
   */
  listParkedPayouts: {
    input: {}
    result: ListParkedPayoutsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Route an order's parked payouts after their cause is fixed
   * `POST /v1/operator/parked-payouts/resume`
   */
  resumeParkedPayouts: {
    input: {
      body: ResumeParkedPayoutsRequest
    }
    result: ResumeParkedPayoutsResponse
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List shop orders that could not be created yet
   * The longest wait first. They are retried every five minutes.
   * `GET /v1/operator/waiting-orders`
   */
  listWaitingOrders: {
    input: {}
    result: ListWaitingOrdersResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Retry the waiting orders now
   * `POST /v1/operator/waiting-orders/retry`
   */
  retryWaitingOrders: {
    input: {}
    result: RetryWaitingOrdersResponse
    item: never
    code: "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Release an order that waits for an anamnesis, without one
   * Somebody of the organisation has decided that the order needs none. Its prescription can then be signed externally.
   * `POST /v1/operator/waiting-orders/release`
   */
  releaseWaitingOrder: {
    input: {
      body: ReleaseWaitingOrderRequest
    }
    result: undefined
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Compare a provisioning file with the current records, or apply it
   * `dry_run`, the default, changes nothing and returns the differences. Sent with the `ETag` of a dry run as `If-Match`, the file is applied only if the differences are still the same. Errors name their JSON path below `file`.
   * `POST /v1/operator/provisioning`
   */
  applyProvisioningFile: {
    input: {
      body: ApplyProvisioningFileRequest
    }
    result: ProvisioningResult
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "overloaded" | "precondition_failed" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List the guests of a video appointment
   * `GET /v1/doctor/appointments/{appointment_uid}/guests`
   */
  listOwnGuests: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
    }
    result: ListOwnGuestsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Invite an interpreter, a relative or a carer to a video appointment
   * At most two. The link goes to `email`, else to `phone`, in their language. The guest agrees to secrecy and waits until the doctor admits them and the patient agrees. The link follows a move, and ends with the join window, a cancellation or DELETE.
   * `POST /v1/doctor/appointments/{appointment_uid}/guests`
   */
  inviteOwnGuest: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
      body: NewGuest
    }
    result: InviteOwnGuestResponse
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_guests" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Remove a guest, also from a call that is running
   * `DELETE /v1/doctor/appointments/{appointment_uid}/guests/{guest_uid}`
   */
  removeOwnGuest: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
      /** Opaque identifier */
      guest_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * List the guests of a video appointment
   * Needs the permission `scheduling:read`.
   * `GET /v1/management/scheduling/appointments/{appointment_uid}/guests`
   */
  listGuests: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
    }
    result: ListOwnGuestsResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Invite an interpreter, a relative or a carer to a video appointment
   * At most two. The link goes to `email`, else to `phone`, in their language. The guest agrees to secrecy and waits until the doctor admits them and the patient agrees. The link follows a move, and ends with the join window, a cancellation or DELETE. Needs the permission `scheduling:write`.
   * `POST /v1/management/scheduling/appointments/{appointment_uid}/guests`
   */
  inviteGuest: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
      body: NewGuest
    }
    result: InviteOwnGuestResponse
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_guests" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * Remove a guest, also from a call that is running
   * Needs the permission `scheduling:write`.
   * `DELETE /v1/management/scheduling/appointments/{appointment_uid}/guests/{guest_uid}`
   */
  removeGuest: {
    input: {
      /** Opaque identifier */
      appointment_uid: string
      /** Opaque identifier */
      guest_uid: string
    }
    result: undefined
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read the audit log in order
   * Who changed what, who read health data or a secret, and who was denied. For the next page send `after` with the last id. Needs the permission `audit:read`.
   * `GET /v1/management/audit-log`
   */
  listAudit: {
    input: {
      /** Identifier of the entry; later entries of an owner have larger numbers */
      after?: string
      limit?: number | null
      /** Only entries of this action */
      action?: string
      /** Only entries of the actor with this uid */
      actor?: string
      /** Only entries about the record with this identifier */
      subject?: string
      /** Only entries from this second on, Unix seconds */
      from?: number
      /** Only entries before this second, Unix seconds */
      to?: number
    }
    result: ListAuditResponse
    item: AuditEntry
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Export the audit log with the data that verifies it
   * One JSON object per line: the sealed entries, each with its `number` and `mac`. The very last line is `{head}`; until it appears, continue with `after` = the last `number`. `cli audit verify --file` verifies the whole export. Needs the permission `audit:read`.
   * `GET /v1/management/audit-log/export`
   */
  exportAuditLog: {
    input: {
      /** The `number` of the last line you have; 0: from the start */
      after?: number | null
      /** Lines an answer */
      limit?: number | null
    }
    result: ArrayBuffer
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Read an owner's audit log in order
   * The same as organisations read; the read is itself recorded in that log.
   * `GET /v1/operator/audit-log`
   */
  listAuditLogOfOwner: {
    input: {
      /** An organisation's or a pharmacy's uid; `installation` for the installation's own log */
      owner_uid: string
      /** Identifier of the entry; later entries of an owner have larger numbers */
      after?: string
      limit?: number | null
      /** Only entries of this action */
      action?: string
      /** Only entries of the actor with this uid */
      actor?: string
      /** Only entries about the record with this identifier */
      subject?: string
      /** Only entries from this second on, Unix seconds */
      from?: number
      /** Only entries before this second, Unix seconds */
      to?: number
    }
    result: ListAuditResponse
    item: AuditEntry
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }

  /**
   * Preview which appointments a change of the holidays hits
   * Takes the body of a change of the organisation. Changes and cancels nothing. Needs the permission `organisation:admin`. A repeated request runs again.
   * `POST /v1/management/organisation/holidays/preview`
   */
  previewHolidays: {
    input: {
      body?: PreviewHolidaysRequest
    }
    result: PreviewHolidaysResponse
    item: never
    code: "body_too_large" | "forbidden" | "idempotency_key_reused" | "in_progress" | "internal" | "invalid_request" | "malformed_json" | "method_not_allowed" | "not_found" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable" | "unsupported_media_type"
  }

  /**
   * List the public holidays of a region
   * Computed, for 1990 to 2100. Needs the permission `scheduling:read`.
   * `GET /v1/management/holidays`
   */
  listHolidays: {
    input: {
      /** Country or region, e.g. `DE-BE` */
      region: string
      /** Year */
      year: number
    }
    result: ListHolidaysResponse
    item: never
    code: "forbidden" | "internal" | "invalid_request" | "method_not_allowed" | "overloaded" | "too_many_requests" | "unauthenticated" | "unavailable"
  }
}
