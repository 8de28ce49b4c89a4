// SPDX-License-Identifier: Apache-2.0
// Made by `bun script/generate/client.ts` from the OpenAPI document. Changes here are lost.
import type { PatientDoctorMeetingUpdatedEvent, RebookedEvent, SchedulingAppointmentReminderDueEvent, PatientCreatedEvent, SubscriptionFailingEvent, PrescriptionRenderEvent, PrescriptionRenderedEvent, PharmacyManagerSendPrescriptionEvent, PharmacyOrderCreatedEvent, PharmacyOrderStatusUpdatedEvent, PharmacyOrderCompletedEvent, PharmacySkuUpdatedEvent, RecallDueEvent, SchedulingTimesOfferedEvent, BusySourceFailingEvent, CalendarConnectionFailingEvent, WaitlistOfferedEvent, WaitlistAcceptedEvent, WaitlistPausedEvent, PatientMergedEvent, PatientExportedEvent, PatientErasedEvent, RequestCreatedEvent, RequestAnsweredEvent, RequestRunningOutEvent, RequestClosedEvent, SchedulingDoctorLateEvent, SchedulingWaitingEvent } from "./schemas.ts"

/** The events by their type. */
export interface Events {
  /** An appointment was confirmed, cancelled, completed or missed */
  "patient_doctor_meeting_updated": PatientDoctorMeetingUpdatedEvent
  /** A confirmed appointment was moved: a new one replaces it. The previous one has no event of its own */
  "rebooked": RebookedEvent
  /** A reminder is due: one event for each recipient */
  "scheduling.appointment_reminder_due": SchedulingAppointmentReminderDueEvent
  /** The organisation has a new patient: by its interface, a first booking token, a booking by API key or provisioning */
  "patient.created": PatientCreatedEvent
  /** A webhook subscription keeps failing: nothing was accepted for an hour or longer, once until something is accepted again; or the receiver ended it with 410 (`active` is false) */
  "subscription.failing": SubscriptionFailingEvent
  /** The rendering of a prescription's PDF has started */
  "prescription.render": PrescriptionRenderEvent
  /** The PDF of a prescription is rendered */
  "prescription.rendered": PrescriptionRenderedEvent
  /** A prescription was registered as externally signed and goes to the pharmacy */
  "pharmacy_manager.send_prescription": PharmacyManagerSendPrescriptionEvent
  /** A pharmacy has a new order */
  "pharmacy_order.created": PharmacyOrderCreatedEvent
  /** An order has another status, or became paid */
  "pharmacy_order.status_updated": PharmacyOrderStatusUpdatedEvent
  /** An order is completed */
  "pharmacy_order.completed": PharmacyOrderCompletedEvent
  /** Stock, price or external identifier of a SKU changed */
  "pharmacy_sku.updated": PharmacySkuUpdatedEvent
  /** A patient is asked to come again, `lead_days` before the date; the service's own mail or SMS follows where the patient has an address */
  "recall.due": RecallDueEvent
  /** The doctor is absent, and the patient is asked to choose another time: the appointment stands until then */
  "scheduling.times_offered": SchedulingTimesOfferedEvent
  /** A calendar kept elsewhere cannot be read: once for each time that it begins to fail. Its times stay; `when_stale` decides after 24 hours */
  "busy_source.failing": BusySourceFailingEvent
  /** A doctor's own calendar no longer gives access: nothing is read or written until the doctor connects it again */
  "calendar_connection.failing": CalendarConnectionFailingEvent
  /** A patient on the waiting list is offered a time that became free; the service's own mail or SMS follows at `sent_at` where the patient has an address */
  "waitlist.offered": WaitlistOfferedEvent
  /** A patient on the waiting list has accepted an offer. The booking or the move has its own event */
  "waitlist.accepted": WaitlistAcceptedEvent
  /** An entry of the waiting list is paused: three offers, one after another, were left unanswered */
  "waitlist.paused": WaitlistPausedEvent
  /** Two records of one person became one: what belonged to the one belongs to the other */
  "patient.merged": PatientMergedEvent
  /** All that is kept of a patient was exported */
  "patient.exported": PatientExportedEvent
  /** A patient was erased: what subscribers know of the patient is theirs to erase as well */
  "patient.erased": PatientErasedEvent
  /** A patient has sent a request in writing */
  "request.created": RequestCreatedEvent
  /** The practice has answered a request; the patient's mail or SMS with a link follows */
  "request.answered": RequestAnsweredEvent
  /** A quarter of the time for answering a request is left; to the doctor, or to each administrator */
  "request.running_out": RequestRunningOutEvent
  /** A request is closed; the patient's mail or SMS with a link follows */
  "request.closed": RequestClosedEvent
  /** The doctor announced to begin an appointment later, or so many minutes later than announced before */
  "scheduling.doctor_late": SchedulingDoctorLateEvent
  /** The patient is in the waiting room of the call: once for each appointment, the first time */
  "scheduling.waiting": SchedulingWaitingEvent
}

/** An example of each event, as the OpenAPI document has it. */
export const exampleEvents: Events = {
  "patient_doctor_meeting_updated": {
    "id": "evt_example",
    "type": "patient_doctor_meeting_updated",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "change": "confirmed",
      "appointment": {
        "uid": "apt_example",
        "status": "confirmed",
        "doctor_uid": "doc_example",
        "doctor_display_name": "Dr. Example",
        "patient_uid": "pat_example",
        "patient_display_name": "Example Patient",
        "appointment_type_uid": "aty_example",
        "appointment_type_name": "Consultation",
        "visit_reason": null,
        "meeting_type": "CONSULTATION",
        "meeting_format": "DIGITAL",
        "start_date": 1893492000,
        "end_date": 1893493200,
        "created_at": 1893400000,
        "updated_at": 1893400000,
        "cancelled_at": null,
        "cancellation_reason": null,
        "resources": [
          {
            "uid": "res_example",
            "kind": "room",
            "name": "Room 1"
          }
        ],
        "further_doctors": [],
        "previous_meeting_uid": null,
        "series_uid": null
      },
      "actor": {
        "kind": "system",
        "uid": "example"
      }
    }
  },
  "rebooked": {
    "id": "evt_example",
    "type": "rebooked",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "appointment": {
        "uid": "apt_example",
        "status": "confirmed",
        "doctor_uid": "doc_example",
        "doctor_display_name": "Dr. Example",
        "patient_uid": "pat_example",
        "patient_display_name": "Example Patient",
        "appointment_type_uid": "aty_example",
        "appointment_type_name": "Consultation",
        "visit_reason": null,
        "meeting_type": "CONSULTATION",
        "meeting_format": "DIGITAL",
        "start_date": 1893492000,
        "end_date": 1893493200,
        "created_at": 1893400000,
        "updated_at": 1893400000,
        "cancelled_at": null,
        "cancellation_reason": null,
        "resources": [
          {
            "uid": "res_example",
            "kind": "room",
            "name": "Room 1"
          }
        ],
        "further_doctors": [],
        "previous_meeting_uid": "apt_example_before",
        "series_uid": null
      },
      "previous_meeting_uid": "apt_example_before",
      "actor": {
        "kind": "system",
        "uid": "example"
      }
    }
  },
  "scheduling.appointment_reminder_due": {
    "id": "evt_example",
    "type": "scheduling.appointment_reminder_due",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "appointment": {
        "uid": "apt_example",
        "status": "confirmed",
        "doctor_uid": "doc_example",
        "doctor_display_name": "Dr. Example",
        "patient_uid": "pat_example",
        "patient_display_name": "Example Patient",
        "appointment_type_uid": "aty_example",
        "appointment_type_name": "Consultation",
        "visit_reason": null,
        "meeting_type": "CONSULTATION",
        "meeting_format": "DIGITAL",
        "start_date": 1893492000,
        "end_date": 1893493200,
        "created_at": 1893400000,
        "updated_at": 1893400000,
        "cancelled_at": null,
        "cancellation_reason": null,
        "resources": [
          {
            "uid": "res_example",
            "kind": "room",
            "name": "Room 1"
          }
        ],
        "further_doctors": [],
        "previous_meeting_uid": null,
        "series_uid": null
      },
      "reminder": {
        "uid": "rem_example",
        "appointment_type_uid": "aty_example",
        "recipient_role": "doctor",
        "minutes_before": 60,
        "send_email": false,
        "send_sms": false,
        "active": true,
        "updated_at": 1893400000
      },
      "recipient": {
        "role": "doctor",
        "uid": "doc_example",
        "display_name": "Dr. Example",
        "email": null,
        "phone": null
      },
      "visit_reason": null,
      "action_links": []
    }
  },
  "patient.created": {
    "id": "evt_example",
    "type": "patient.created",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "patient": {
        "uid": "pat_example",
        "shop_uid": "shp_example",
        "shop_customer_id": "customer-example",
        "created_at": 1893400000,
        "updated_at": 1893400000
      },
      "actor": {
        "kind": "system",
        "uid": "example"
      }
    }
  },
  "subscription.failing": {
    "id": "evt_example",
    "type": "subscription.failing",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "subscription_uid": "sub_example",
      "url": "https://partner.example/webhooks",
      "active": true,
      "failing_since": 1893396000,
      "status_code": 503,
      "error": "status 503"
    }
  },
  "prescription.render": {
    "id": "evt_example",
    "type": "prescription.render",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "prescription_uid": "prs_example",
      "actor": {
        "kind": "system",
        "uid": "example"
      }
    }
  },
  "prescription.rendered": {
    "id": "evt_example",
    "type": "prescription.rendered",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "prescription_uid": "prs_example",
      "file": {
        "sha256": "0000000000000000000000000000000000000000000000000000000000000000",
        "size": 27000
      }
    }
  },
  "pharmacy_manager.send_prescription": {
    "id": "evt_example",
    "type": "pharmacy_manager.send_prescription",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "prescription_uid": "prs_example",
      "prescription": {
        "uid": "prs_example",
        "status": "externally_signed",
        "doctor": {
          "uid": "doc_example",
          "display_name": "Dr. Example"
        },
        "items": [
          {
            "uid": "prs_example_1",
            "sku_uid": "sku_example",
            "quantity": 1,
            "dosage": "1-0-1",
            "anamnesis_uid": null
          }
        ],
        "file": {
          "sha256": "0000000000000000000000000000000000000000000000000000000000000000",
          "size": 27000
        }
      },
      "pharmacy_order_uid": "pho_example"
    }
  },
  "pharmacy_order.created": {
    "id": "evt_example",
    "type": "pharmacy_order.created",
    "timestamp": 1893400000,
    "pharmacy_uid": "pha_example",
    "data": {
      "order": {
        "uid": "pho_example",
        "name": "#1001",
        "status": "new",
        "status_reason": null,
        "paid": true,
        "paid_amount": 2480,
        "refunded_amount": 0,
        "shop_change": null,
        "prescription_uid": "prs_example",
        "prescription_file": null,
        "shipping_price": 490,
        "currency": "EUR",
        "lines": [
          {
            "uid": "pho_example_1",
            "sku_uid": "sku_example",
            "pharmacy_sku_uid": "psk_example",
            "external_id": "A-1",
            "pzn": null,
            "display_name": "Example drops 10 ml",
            "product_display_name": "Example drops",
            "quantity": 1,
            "unit_price": 1990,
            "total_price": 1990
          }
        ],
        "patient": {
          "first_name": "Example",
          "last_name": "Patient",
          "date_of_birth": 631152000,
          "gender": "divers"
        },
        "shipping_address": null,
        "tracking": null,
        "problem": null,
        "undo": null,
        "parked_payouts": [],
        "created_at": 1893400000,
        "updated_at": 1893400000,
        "completed_at": null
      }
    }
  },
  "pharmacy_order.status_updated": {
    "id": "evt_example",
    "type": "pharmacy_order.status_updated",
    "timestamp": 1893400000,
    "pharmacy_uid": "pha_example",
    "data": {
      "order": {
        "uid": "pho_example",
        "name": "#1001",
        "status": "accepted",
        "status_reason": null,
        "paid": true,
        "paid_amount": 2480,
        "refunded_amount": 0,
        "shop_change": null,
        "prescription_uid": "prs_example",
        "prescription_file": null,
        "shipping_price": 490,
        "currency": "EUR",
        "lines": [
          {
            "uid": "pho_example_1",
            "sku_uid": "sku_example",
            "pharmacy_sku_uid": "psk_example",
            "external_id": "A-1",
            "pzn": null,
            "display_name": "Example drops 10 ml",
            "product_display_name": "Example drops",
            "quantity": 1,
            "unit_price": 1990,
            "total_price": 1990
          }
        ],
        "patient": {
          "first_name": "Example",
          "last_name": "Patient",
          "date_of_birth": 631152000,
          "gender": "divers"
        },
        "shipping_address": null,
        "tracking": null,
        "problem": null,
        "undo": null,
        "parked_payouts": [],
        "created_at": 1893400000,
        "updated_at": 1893400000,
        "completed_at": null
      }
    }
  },
  "pharmacy_order.completed": {
    "id": "evt_example",
    "type": "pharmacy_order.completed",
    "timestamp": 1893400000,
    "pharmacy_uid": "pha_example",
    "data": {
      "order": {
        "uid": "pho_example",
        "name": "#1001",
        "status": "completed",
        "status_reason": null,
        "paid": true,
        "paid_amount": 2480,
        "refunded_amount": 0,
        "shop_change": null,
        "prescription_uid": "prs_example",
        "prescription_file": null,
        "shipping_price": 490,
        "currency": "EUR",
        "lines": [
          {
            "uid": "pho_example_1",
            "sku_uid": "sku_example",
            "pharmacy_sku_uid": "psk_example",
            "external_id": "A-1",
            "pzn": null,
            "display_name": "Example drops 10 ml",
            "product_display_name": "Example drops",
            "quantity": 1,
            "unit_price": 1990,
            "total_price": 1990
          }
        ],
        "patient": {
          "first_name": "Example",
          "last_name": "Patient",
          "date_of_birth": 631152000,
          "gender": "divers"
        },
        "shipping_address": null,
        "tracking": null,
        "problem": null,
        "undo": null,
        "parked_payouts": [],
        "created_at": 1893400000,
        "updated_at": 1893400000,
        "completed_at": 1893400000
      }
    }
  },
  "pharmacy_sku.updated": {
    "id": "evt_example",
    "type": "pharmacy_sku.updated",
    "timestamp": 1893400000,
    "pharmacy_uid": "pha_example",
    "data": {
      "pharmacy_sku": {
        "uid": "psk_example",
        "external_id": "A-1",
        "price": 1990,
        "stock": 12,
        "pharmacy": "pha_example",
        "sku": {
          "uid": "sku_example",
          "display_name": "Example drops 10 ml",
          "pzn": null,
          "product_uid": "prd_example",
          "product_display_name": "Example drops",
          "standard_selling_unit": 10,
          "unit": "ml",
          "product_handle": "example-drops",
          "digital": false
        },
        "created_at": 1893400000,
        "updated_at": 1893400000,
        "deleted_at": null
      }
    }
  },
  "recall.due": {
    "id": "evt_example",
    "type": "recall.due",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "recall": {
        "uid": "rcl_example",
        "patient_uid": "pat_demo",
        "appointment_type_uid": "aty_demo_consultation",
        "doctor_uid": null,
        "due_date": "2035-01-22",
        "lead_days": 14,
        "message_text": "Kontrolle nach sechs Monaten",
        "status": "sent",
        "appointment_uid": null,
        "sent_at": 2051856000,
        "created_at": 2036000000,
        "updated_at": 2051856000
      }
    }
  },
  "scheduling.times_offered": {
    "id": "evt_example",
    "type": "scheduling.times_offered",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "appointment": {
        "uid": "apt_example",
        "status": "confirmed",
        "doctor_uid": "doc_example",
        "doctor_display_name": "Dr. Example",
        "patient_uid": "pat_example",
        "patient_display_name": "Example Patient",
        "appointment_type_uid": "aty_example",
        "appointment_type_name": "Consultation",
        "visit_reason": null,
        "meeting_type": "CONSULTATION",
        "meeting_format": "DIGITAL",
        "start_date": 1893492000,
        "end_date": 1893493200,
        "created_at": 1893400000,
        "updated_at": 1893400000,
        "cancelled_at": null,
        "cancellation_reason": null,
        "resources": [
          {
            "uid": "res_example",
            "kind": "room",
            "name": "Room 1"
          }
        ],
        "further_doctors": [],
        "previous_meeting_uid": null,
        "series_uid": null
      },
      "actor": {
        "kind": "system",
        "uid": "example"
      }
    }
  },
  "busy_source.failing": {
    "id": "evt_example",
    "type": "busy_source.failing",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "busy_source_uid": "bsy_example",
      "doctor_uid": "doc_demo_1",
      "name": "Hospital rota",
      "last_success_at": 2051848800,
      "last_error": "The server does not answer: check the address, or try again later"
    }
  },
  "calendar_connection.failing": {
    "id": "evt_example",
    "type": "calendar_connection.failing",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "connection_uid": "ccn_example",
      "doctor_uid": "doc_demo_1",
      "provider": "google",
      "account": "ada@example.org",
      "last_error": "The permission was withdrawn: connect the calendar again"
    }
  },
  "waitlist.offered": {
    "id": "evt_example",
    "type": "waitlist.offered",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "entry": {
        "uid": "wle_example",
        "patient_uid": "pat_example",
        "appointment_type_uid": "aty_demo_consultation",
        "doctor_uids": [],
        "from": 1893400000,
        "to": 1895992000,
        "weekdays": [
          0,
          1,
          2
        ],
        "times": [
          {
            "from": 480,
            "to": 720
          }
        ],
        "appointment_uid": null,
        "need": "routine",
        "need_reason": null,
        "status": "offered",
        "offers_made": 1,
        "created_at": 1893400000,
        "updated_at": 1893400000
      },
      "patient_uid": "pat_example",
      "offer": {
        "uid": "wlf_example",
        "doctor_uid": "doc_example",
        "start_date": 1893659200,
        "end_date": 1893660400,
        "sent_at": 1893400000,
        "expires_at": 1893407200
      }
    }
  },
  "waitlist.accepted": {
    "id": "evt_example",
    "type": "waitlist.accepted",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "entry": {
        "uid": "wle_example",
        "patient_uid": "pat_example",
        "appointment_type_uid": "aty_demo_consultation",
        "doctor_uids": [],
        "from": 1893400000,
        "to": 1895992000,
        "weekdays": [
          0,
          1,
          2
        ],
        "times": [
          {
            "from": 480,
            "to": 720
          }
        ],
        "appointment_uid": null,
        "need": "routine",
        "need_reason": null,
        "status": "booked",
        "offers_made": 1,
        "created_at": 1893400000,
        "updated_at": 1893400000
      },
      "patient_uid": "pat_example",
      "appointment_uid": "apt_example",
      "previous_meeting_uid": null
    }
  },
  "waitlist.paused": {
    "id": "evt_example",
    "type": "waitlist.paused",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "entry": {
        "uid": "wle_example",
        "patient_uid": "pat_example",
        "appointment_type_uid": "aty_demo_consultation",
        "doctor_uids": [],
        "from": 1893400000,
        "to": 1895992000,
        "weekdays": [
          0,
          1,
          2
        ],
        "times": [
          {
            "from": 480,
            "to": 720
          }
        ],
        "appointment_uid": null,
        "need": "routine",
        "need_reason": null,
        "status": "paused",
        "offers_made": 3,
        "created_at": 1893400000,
        "updated_at": 1893400000
      },
      "patient_uid": "pat_example"
    }
  },
  "patient.merged": {
    "id": "evt_example",
    "type": "patient.merged",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "patient": {
        "uid": "pat_example",
        "shop_uid": "shp_example",
        "shop_customer_id": "customer-example",
        "created_at": 1893400000,
        "updated_at": 1893400000
      },
      "merged_patient_uid": "pat_double",
      "actor": {
        "kind": "system",
        "uid": "example"
      }
    }
  },
  "patient.exported": {
    "id": "evt_example",
    "type": "patient.exported",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "patient_uid": "pat_example",
      "actor": {
        "kind": "system",
        "uid": "example"
      }
    }
  },
  "patient.erased": {
    "id": "evt_example",
    "type": "patient.erased",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "patient_uid": "pat_example",
      "cancelled": [
        "apt_example"
      ],
      "actor": {
        "kind": "system",
        "uid": "example"
      }
    }
  },
  "request.created": {
    "id": "evt_example",
    "type": "request.created",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "request_uid": "req_example",
      "request_type_uid": "rqt_example",
      "patient_uid": "pat_demo"
    }
  },
  "request.answered": {
    "id": "evt_example",
    "type": "request.answered",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "request_uid": "req_example",
      "request_type_uid": "rqt_example",
      "patient_uid": "pat_demo"
    }
  },
  "request.running_out": {
    "id": "evt_example",
    "type": "request.running_out",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "request_uid": "req_example",
      "request_type_uid": "rqt_example",
      "patient_uid": "pat_demo",
      "recipient_role": "admin",
      "recipient_uid": "adm_example"
    }
  },
  "request.closed": {
    "id": "evt_example",
    "type": "request.closed",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "request_uid": "req_example",
      "request_type_uid": "rqt_example",
      "patient_uid": "pat_demo"
    }
  },
  "scheduling.doctor_late": {
    "id": "evt_example",
    "type": "scheduling.doctor_late",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "appointment": {
        "uid": "apt_example",
        "status": "confirmed",
        "doctor_uid": "doc_example",
        "doctor_display_name": "Dr. Example",
        "patient_uid": "pat_example",
        "patient_display_name": "Example Patient",
        "appointment_type_uid": "aty_example",
        "appointment_type_name": "Consultation",
        "visit_reason": null,
        "meeting_type": "CONSULTATION",
        "meeting_format": "DIGITAL",
        "start_date": 1893492000,
        "end_date": 1893493200,
        "created_at": 1893400000,
        "updated_at": 1893400000,
        "cancelled_at": null,
        "cancellation_reason": null,
        "resources": [
          {
            "uid": "res_example",
            "kind": "room",
            "name": "Room 1"
          }
        ],
        "further_doctors": [],
        "previous_meeting_uid": null,
        "series_uid": null
      },
      "minutes": 10,
      "actor": {
        "kind": "system",
        "uid": "example"
      }
    }
  },
  "scheduling.waiting": {
    "id": "evt_example",
    "type": "scheduling.waiting",
    "timestamp": 1893400000,
    "organisation_uid": "org_example",
    "data": {
      "appointment": {
        "uid": "apt_example",
        "status": "confirmed",
        "doctor_uid": "doc_example",
        "doctor_display_name": "Dr. Example",
        "patient_uid": "pat_example",
        "patient_display_name": "Example Patient",
        "appointment_type_uid": "aty_example",
        "appointment_type_name": "Consultation",
        "visit_reason": null,
        "meeting_type": "CONSULTATION",
        "meeting_format": "DIGITAL",
        "start_date": 1893492000,
        "end_date": 1893493200,
        "created_at": 1893400000,
        "updated_at": 1893400000,
        "cancelled_at": null,
        "cancellation_reason": null,
        "resources": [
          {
            "uid": "res_example",
            "kind": "room",
            "name": "Room 1"
          }
        ],
        "further_doctors": [],
        "previous_meeting_uid": null,
        "series_uid": null
      }
    }
  }
}
