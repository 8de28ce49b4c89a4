/** The service's own video call: waiting rooms, the meeting page with its signalling, and the device check. Rules 5.5.3 and 5.7. */
import { Effect, Layer } from "effect"
import { capability } from "../../capability.ts"
import { Settings } from "../../config.ts"
import { extension } from "../../services/Extensions.ts"
import { GuestPagesHttp } from "./http/GuestPagesHttp.tsx"
import { GuestsApi } from "./http/GuestsApi.ts"
import { GuestsHttp } from "./http/GuestsHttp.ts"
import { MeetingPagesHttp } from "./http/MeetingPagesHttp.tsx"
import { guestsOfDoctor, guestsOfPractice } from "./pages/guestsPart.tsx"
import { ExportedGuest } from "./schemas/Guest.ts"
import { meetingEvents } from "./schemas/waitingEvent.ts"
import { DemoPatient } from "./services/DemoPatient.ts"
import { endingMeetings } from "./services/endingMeetings.ts"
import { Guests } from "./services/Guests.ts"
import { MeetingAppointments } from "./services/MeetingAppointments.ts"
import { MeetingBus } from "./services/MeetingBus.ts"
import { MeetingRooms } from "./services/MeetingRooms.ts"
import { WaitingRooms } from "./services/WaitingRooms.ts"
import { deskTextsOf } from "./texts/desk.ts"
import { meetingTexts } from "./texts/meeting.ts"

export const manifest = capability({
  name: "video",
  services: Layer.mergeAll(
    MeetingRooms.Default,
    Guests.Default,
    MeetingBus.Default,
    MeetingAppointments.Default,
    WaitingRooms.Default,
    DemoPatient.Default
  ),
  api: GuestsApi,
  http: Layer.mergeAll(MeetingPagesHttp, GuestPagesHttp, GuestsHttp),
  events: meetingEvents,
  tables: { meeting_dismissals: "organisation_uid", meeting_guests: "organisation_uid" },
  staffPages: {
    below: { "appointments/:uid": guestsOfPractice, "doctor/patients/:uid": guestsOfDoctor },
    names: (language) => {
      const { kind, actions } = deskTextsOf(language)
      return { records: { guests: kind, meeting_guests: kind }, actions }
    }
  },
  codePages: ["/meeting/:code", "/guest/:code"],
  deskOperations: ["management.guests."],
  appointmentRecords: {
    meeting_guests: {
      name: "guests",
      description: "Guests of the calls",
      record: ExportedGuest,
      blanked: ["name", "email", "phone"]
    }
  },
  extension: Effect.gen(function* () {
    const { publish, start } = yield* MeetingBus
    const patient = yield* DemoPatient
    const guests = yield* Guests
    const { role } = yield* Settings
    return extension({
      // the console shows who waits
      onStart: role === "worker" ? Effect.void : start,
      consumers: [yield* endingMeetings],
      presence: yield* WaitingRooms,
      periodic: [{ name: "maintenance.guests", every: 1, run: guests.sendDue() }],
      on: { confirmed: guests.moved },
      ofPatient: (owner, patient) => ({ guests: guests.ofPatient(owner, patient) }),
      late: ({ room_name: room, uid: from, by, name, minutes }) =>
        publish({ kind: "late", room, from, by, name, minutes }),
      preparation: ({ meeting_format }, language) =>
        meeting_format === "DIGITAL" ? { path: "/devices", text: meetingTexts(language).deviceTest } : null,
      demo: patient.wait
    })
  })
})
