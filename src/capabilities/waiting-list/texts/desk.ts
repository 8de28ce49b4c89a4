/** Texts of the practice's pages about the waiting list. */
import { deskTexts } from "../../shared/texts/own.ts"

export const deskTextsOf = deskTexts({
  de: {
    title: "Warteliste",
    ofType: "Warteliste möglich",
    empty: {
      text: "Hier stehen alle, die auf einen Termin warten. Patienten tragen sich auf der Buchungsseite ein, oder Sie tun es auf der Seite des Patienten.",
      action: "Patienten suchen"
    },
    filter: "Status",
    all: "alle",
    open: "alle, die warten",
    needs: { urgent: "dringend", soon: "bald", routine: "regulär" },
    need: "Dringlichkeit",
    needReason: "Grund (nur für die Praxis)",
    statuses: {
      waiting: "wartet",
      offered: "Angebot offen",
      paused: "pausiert",
      booked: "gebucht",
      ended: "beendet"
    },
    since: "wartet seit {time}",
    anyTime: "jede Zeit",
    from: "ab {day}",
    until: "bis {day}",
    instead: "statt {time}",
    offersMade: { one: "{n} Angebot", other: "{n} Angebote" },
    place: "Platz {n} von {of}",
    offers: "Angebote und Antworten",
    offerStatuses: {
      offered: "offen bis {time}",
      accepted: "angenommen {time}",
      declined: "abgelehnt {time}",
      lapsed: "nicht beantwortet",
      lost: "anderweitig vergeben"
    },
    noOffers: "Noch kein Angebot.",
    why: "Warum wurde ein Termin jemand anderem angeboten?",
    whyNone: "Seither ging kein passender Termin an jemand anderen.",
    because: {
      more_need: "war dringender",
      waits_longer: "wartete länger",
      had_offer: "hier war gerade ein anderes Angebot offen",
      asked_before: "hier war dieser Termin schon angeboten",
      need_changed: "hier war die Dringlichkeit damals eine andere",
      not_waiting: "diese Anfrage war pausiert oder lautete anders"
    },
    order: "Angeboten wird nach Dringlichkeit, dann nach Wartezeit. Ablehnen kostet keinen Platz.",
    pause: "Pausieren",
    goOn: "Weiter warten",
    end: "Von der Liste nehmen",
    endQuestion: "{name} von der Warteliste nehmen? Ein offenes Angebot endet damit.",
    pauseAll: "Ganze Liste anhalten",
    goOnAll: "Liste fortsetzen",
    pausedAll: "Die Warteliste ist angehalten: Freie Termine werden niemandem angeboten, sondern sind sofort buchbar.",
    add: "Auf die Warteliste",
    addHelp: "Wird ein passender Termin frei, bekommt die Patientin oder der Patient ein Angebot per E-Mail oder SMS.",
    weekdays: "Wochentage (ohne Auswahl: alle)",
    part: "Tageszeit"
  },
  en: {
    title: "Waiting list",
    ofType: "Waiting list possible",
    empty: {
      text: "Here is everybody who waits for an appointment. Patients enter themselves on the booking page, or you do it on the patient's page.",
      action: "Find a patient"
    },
    filter: "Status",
    all: "all",
    open: "all who wait",
    needs: { urgent: "urgent", soon: "soon", routine: "routine" },
    need: "Need",
    needReason: "Reason (for the practice alone)",
    statuses: { waiting: "waits", offered: "offer open", paused: "paused", booked: "booked", ended: "ended" },
    since: "waits since {time}",
    anyTime: "any time",
    from: "from {day}",
    until: "until {day}",
    instead: "instead of {time}",
    offersMade: { one: "{n} offer", other: "{n} offers" },
    place: "Place {n} of {of}",
    offers: "Offers and answers",
    offerStatuses: {
      offered: "open until {time}",
      accepted: "accepted {time}",
      declined: "declined {time}",
      lapsed: "not answered",
      lost: "given to somebody else"
    },
    noOffers: "No offer yet.",
    why: "Why was a time offered to somebody else?",
    whyNone: "No time that fits has gone to anybody else since.",
    because: {
      more_need: "was more urgent",
      waits_longer: "had waited longer",
      had_offer: "another offer was open here",
      asked_before: "this time had been offered here before",
      need_changed: "the need was another one then",
      not_waiting: "this entry was paused, or its wish was another"
    },
    order: "Offers go by need, then by time waited. Declining costs no place.",
    pause: "Pause",
    goOn: "Go on waiting",
    end: "Take off the list",
    endQuestion: "Take {name} off the waiting list? An open offer ends.",
    pauseAll: "Stop the whole list",
    goOnAll: "Go on with the list",
    pausedAll: "The waiting list is stopped: free times are offered to nobody and can be booked at once.",
    add: "On the waiting list",
    addHelp: "When a time that fits becomes free, the patient gets an offer by mail or SMS.",
    weekdays: "Weekdays (none chosen: all)",
    part: "Time of day"
  }
})
