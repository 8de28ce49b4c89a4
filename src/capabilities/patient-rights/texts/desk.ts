/** Texts of the pages of staff about patients' rights. */
import { deskTexts } from "../../shared/texts/own.ts"

export const deskTextsOf = deskTexts({
  de: {
    search: "Suchen",
    merging: {
      title: "Doppelt angelegt?",
      search: "Anderen Eintrag derselben Person suchen",
      stays: "Bleibt",
      goes: "Geht darin auf",
      result: "Danach",
      moves: "Kommt dazu",
      nothing: "nichts",
      kinds: {
        appointments: "Termine",
        prescriptions: "Rezepte",
        orders: "Bestellungen",
        consents: "Einwilligungen",
        messages: "Nachrichten"
      },
      question:
        "Ist es dieselbe Person? Der Eintrag „{other}“ geht in „{name}“ auf; vorhandene Angaben bleiben, fehlende werden übernommen. Das lässt sich nicht zurücknehmen.",
      merge: "Zusammenführen",
      refused:
        "Diese beiden lassen sich nicht zusammenführen: Beide haben ein eigenes Kundenkonto im Shop, gehören zu verschiedenen Shops, oder die Verarbeitung ist eingeschränkt."
    },
    rights: {
      title: "Rechte der Patientin oder des Patienten",
      toPatient: "Zur Patientin oder zum Patienten",
      export: "Auskunft und Export",
      exportHelp:
        "Alles, was gespeichert ist: Angaben, Termine, Rezepte, Bestellungen, Nachrichten, Einwilligungen. Adressen von Dateien gelten fünf Minuten.",
      exportPage: "Als Seite zum Lesen",
      exportJson: "Als JSON",
      rectify: "Berichtigen",
      rectifyHelp: "Name, Geburtsdatum und Erreichbarkeit.",
      restrict: "Verarbeitung einschränken",
      restrictHelp:
        "Die Daten werden dann nur gespeichert: keine Buchung, keine Nachrichten, keine Löschung nach Frist.",
      restrictedSince: "Eingeschränkt seit {time}.",
      restrictNow: "Einschränken",
      lift: "Einschränkung aufheben",
      erase: "Löschen",
      eraseHelp:
        "Angaben, Gründe, Notizen, Nachrichten und Ereignisse werden gelöscht, künftige Termine abgesagt. Das lässt sich nicht zurücknehmen.",
      keptHelp:
        "Versiegelt und in keiner Liste bleibt, was das Gesetz verlangt: Behandlungen und unterschriebene Rezepte zehn Jahre (§ 630f BGB), Belege bezahlter Bestellungen (§ 147 AO). Danach sehen Sie, was aufbewahrt wird, warum und bis wann.",
      sure: "Ich habe geprüft, dass es die richtige Person ist.",
      eraseNow: "Endgültig löschen",
      done: "Die Patientendaten sind gelöscht",
      gone: "Gelöscht",
      kept: "Aufbewahrt",
      until: "bis {day}",
      consents: "Einwilligungen",
      consentsHelp: "Erteilte und widerrufene stehen auf der Seite der Patientin oder des Patienten."
    },
    /** What an erasure takes away or keeps, by its name in the interface. */
    erasedKinds: {
      profile: "Angaben",
      visit_reasons: "Besuchsgründe",
      instructions: "Hinweise zur Vorbereitung",
      notes: "Notizen",
      action_links: "Links zu Terminen",
      sessions: "Begonnene Buchungen",
      consents: "Einwilligungen",
      messages: "Nachrichten",
      repeated_answers: "Aufbewahrte Antworten",
      events: "Ereignisse",
      deliveries: "Zustellungen",
      prescriptions: "Rezepte",
      dosages: "Dosierungen",
      prescription_reasons: "Gründe stornierter Rezepte",
      files: "Dateien",
      orders: "Bestellungen",
      waiting_orders: "Wartende Bestellungen",
      drafts: "Bestellentwürfe",
      buyers: "Käufer",
      buyer_addresses: "Adressen von Käufern",
      cancelled_appointments: "Abgesagte Termine"
    },
    /** What an erasure keeps and why, by its name in the interface. */
    keptKinds: {
      treatments: {
        name: "Behandlungen",
        why: "§ 630f Abs. 3 BGB: Behandlungsunterlagen werden nach dem Ende der Behandlung zehn Jahre aufbewahrt. Versiegelt, in keiner Liste und keiner Suche; `cli patients kept` öffnet sie für Berechtigte."
      },
      files: {
        name: "Unterschriebene Rezepte",
        why: "§ 630f Abs. 3 BGB: Unterschriebene Rezepte gehören zu den Behandlungsunterlagen. Versiegelt, in keiner Liste und keiner Suche; `cli patients kept` öffnet sie für Berechtigte."
      },
      orders: {
        name: "Bezahlte Bestellungen",
        why: "§ 147 AO, § 257 HGB: Belege bezahlter Bestellungen. Versiegelt, in keiner Liste und keiner Suche; `cli patients kept` öffnet sie für Berechtigte."
      },
      orders_in_progress: {
        name: "Laufende Bestellungen",
        why: "Art. 17 Abs. 1 lit. a DSGVO: Eine laufende Bestellung braucht ihren Empfänger; gelöscht, sobald sie abgeschlossen, abgelehnt oder storniert ist."
      },
      orders_of_others: {
        name: "Bestellungen für andere",
        why: "Die Bestellung ist die einer anderen Person: Nur Kontaktdaten und Adresse der kaufenden Person werden gelöscht."
      },
      appointments: {
        name: "Termine",
        why: "Zeiten, Ärzte und Status ohne Namen: der Kalender der Praxis und seine Summen."
      },
      audit_entries: {
        name: "Einträge des Protokolls",
        why: "Art. 5 Abs. 2, Art. 32 DSGVO: Das Protokoll enthält Kennungen und keine Namen und kann nicht geändert werden."
      },
      erasure: {
        name: "Diese Löschung",
        why: "Art. 5 Abs. 2 DSGVO: die Kennungen allein, damit ein eingespieltes Backup erneut gelöscht wird."
      }
    }
  },
  en: {
    search: "Search",
    merging: {
      title: "Entered twice?",
      search: "Find another record of the same person",
      stays: "Stays",
      goes: "Becomes part of it",
      result: "Afterwards",
      moves: "Is added",
      nothing: "nothing",
      kinds: {
        appointments: "appointments",
        prescriptions: "prescriptions",
        orders: "orders",
        consents: "consents",
        messages: "messages"
      },
      question:
        "Is it the same person? “{other}” becomes part of “{name}”; what is known stays, what is missing is taken over. This cannot be undone.",
      merge: "Merge",
      refused:
        "These two cannot be merged: both have an account of their own at the shop, they belong to different shops, or processing is restricted."
    },
    rights: {
      title: "Patient's rights",
      toPatient: "To the patient",
      export: "Information and export",
      exportHelp:
        "All that is kept: details, appointments, prescriptions, orders, messages, consents. Addresses of files hold for five minutes.",
      exportPage: "As a page to read",
      exportJson: "As JSON",
      rectify: "Correct",
      rectifyHelp: "Name, date of birth and how the patient is reached.",
      restrict: "Restrict processing",
      restrictHelp: "The data is then stored only: no booking, no messages, no deletion by time.",
      restrictedSince: "Restricted since {time}.",
      restrictNow: "Restrict",
      lift: "Lift the restriction",
      erase: "Erase",
      eraseHelp:
        "Details, reasons, notes, messages and events are erased, future appointments are cancelled. It cannot be undone.",
      keptHelp:
        "Sealed and in no list stays what the law demands: treatments and signed prescriptions for ten years (§ 630f BGB), vouchers of paid orders (§ 147 AO). Afterwards you see what is kept, why and until when.",
      sure: "I have checked that it is the right person.",
      eraseNow: "Erase for good",
      done: "The patient is erased",
      gone: "Erased",
      kept: "Kept",
      until: "until {day}",
      consents: "Consents",
      consentsHelp: "Those given and withdrawn are on the patient's page."
    },
    /** What an erasure takes away or keeps, by its name in the interface. */
    erasedKinds: {
      profile: "Details",
      visit_reasons: "Reasons for visits",
      instructions: "Instructions for visits",
      notes: "Notes",
      action_links: "Links of appointments",
      sessions: "Bookings begun",
      consents: "Consents",
      messages: "Messages",
      repeated_answers: "Kept answers",
      events: "Events",
      deliveries: "Deliveries",
      prescriptions: "Prescriptions",
      dosages: "Dosages",
      prescription_reasons: "Reasons of cancelled prescriptions",
      files: "Files",
      orders: "Orders",
      waiting_orders: "Waiting orders",
      drafts: "Drafts of orders",
      buyers: "Buyers",
      buyer_addresses: "Buyers' addresses",
      cancelled_appointments: "Appointments cancelled"
    },
    /** What an erasure keeps and why, by its name in the interface. */
    keptKinds: {
      treatments: {
        name: "Treatments",
        why: "§ 630f (3) BGB: medical records are kept for ten years after the end of treatment. Sealed, in no list and no search; `cli patients kept` opens them for whoever the law entitles to them."
      },
      files: {
        name: "Signed prescriptions",
        why: "§ 630f (3) BGB: signed prescriptions are part of the medical record. Sealed, in no list and no search; `cli patients kept` opens them for whoever the law entitles to them."
      },
      orders: {
        name: "Paid orders",
        why: "§ 147 AO, § 257 HGB: vouchers of paid orders. Sealed, in no list and no search; `cli patients kept` opens them for whoever the law entitles to them."
      },
      orders_in_progress: {
        name: "Orders in progress",
        why: "Art. 17 (1) (a) GDPR: an order in progress needs its recipient; erased once it is completed, rejected or cancelled."
      },
      orders_of_others: {
        name: "Orders for others",
        why: "The order is another's: only its buyer's contact data and address are erased."
      },
      appointments: {
        name: "Appointments",
        why: "Times, doctors and statuses without a name: the practice's calendar and its totals."
      },
      audit_entries: {
        name: "Entries of the audit log",
        why: "Art. 5 (2), Art. 32 GDPR: the audit log holds identifiers and no names, and cannot be changed."
      },
      erasure: {
        name: "This erasure",
        why: "Art. 5 (2) GDPR: the identifiers alone, so that a restored backup is erased again."
      }
    }
  }
})
