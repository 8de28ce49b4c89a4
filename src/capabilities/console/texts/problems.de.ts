/** Why something was not carried out, and what to do. */
export const problems = {
  /** By the interface's code. */
  codes: {
    nothing_to_undo: "Das lässt sich nicht mehr rückgängig machen: Es ist mehr als zehn Sekunden her.",
    invalid_request: "Bitte prüfen Sie die Angaben; es wurde nichts geändert.",
    malformed_json: "Bitte prüfen Sie die Angaben; es wurde nichts geändert.",
    precondition_failed:
      "Jemand hat das inzwischen geändert. Es wurde nichts überschrieben: Ihre Eingaben stehen noch da, und darunter, was jetzt gespeichert ist. Speichern Sie noch einmal, wenn Ihre Eingaben gelten sollen.",
    rows_changed:
      "Jemand hat inzwischen Artikel dieser Datei geändert. Sie wurden nicht überschrieben: Bitte prüfen Sie, was übrig ist, und übernehmen Sie es noch einmal.",
    likely_double: "Diese Person gibt es vielleicht schon. Es wurde noch nichts angelegt.",
    number_changed:
      "Die Zahl der Termine hat sich inzwischen geändert. Bitte prüfen Sie sie noch einmal; es wurde nichts geändert.",
    too_many_days:
      "So viele Tage lassen sich nicht auf einmal sperren. Wählen Sie bitte eine Ärztin oder einen Arzt oder weniger Tage.",
    not_found: "Das gibt es nicht mehr. Bitte laden Sie die Seite neu.",
    forbidden: "Dafür fehlt Ihnen die Berechtigung. Bitte wenden Sie sich an Ihre Verwaltung.",
    no_address: "Es ist weder eine E-Mail-Adresse noch eine Telefonnummer bekannt.",
    rebooking_blocked: "Die Patientin oder der Patient kann diesen Termin nicht selbst verschieben.",
    slot_taken: "Dieser Termin wurde gerade vergeben. Bitte wählen Sie einen anderen.",
    too_many_holds: "Für diese Patientin oder diesen Patienten sind schon zu viele Termine reserviert.",
    too_many_appointments: "Die Obergrenze künftiger Termine ist für diese Patientin oder diesen Patienten erreicht.",
    too_many_entries: "Diese Patientin oder dieser Patient steht schon fünfmal auf der Warteliste.",
    patient_restricted:
      "Die Verarbeitung dieser Daten ist eingeschränkt. Heben Sie die Einschränkung zuerst auf (Rechte der Patientin oder des Patienten).",
    appointment_cancelled: "Der Termin ist bereits abgesagt.",
    appointment_completed: "Der Termin ist bereits abgeschlossen.",
    appointment_expired: "Die Reservierung ist verfallen.",
    appointment_held: "Der Termin ist nur reserviert, noch nicht bestätigt.",
    appointment_no_show: "Der Termin ist bereits als nicht erschienen eingetragen.",
    appointment_not_started: "Der Termin hat noch nicht begonnen.",
    not_confirmed: "Der Termin ist nicht bestätigt und kann deshalb nicht verschoben werden.",
    not_confirmable: "Die Reservierung ist beendet. Bitte wählen Sie einen neuen Termin.",
    reminder_exists: "Eine solche Erinnerung gibt es schon. Ändern Sie diese, oder wählen Sie eine andere Zeit.",
    doctor_has_appointments: "Es stehen noch Termine an. Verschieben Sie sie zuerst, oder sagen Sie sie ab.",
    already_used: "Das ist schon vergeben. Bitte wählen Sie etwas anderes.",
    in_progress: "Das wird gerade schon ausgeführt. Bitte versuchen Sie es gleich noch einmal.",
    idempotency_key_reused: "Das wurde schon einmal gesendet. Bitte laden Sie die Seite neu.",
    status_not_allowed: "Dieser Schritt ist jetzt nicht möglich.",
    order_not_paid: "Die Bestellung ist noch nicht bezahlt.",
    order_not_shipped: "Die Bestellung ist noch nicht versandt.",
    order_changed: "Der Shop hat die Bestellung geändert. Bestätigen Sie zuerst die Änderung.",
    prescription_not_signed: "Das Rezept ist noch nicht unterschrieben oder wurde storniert.",
    not_waiting_for_doctor: "Das Rezept wartet nicht mehr auf eine Unterschrift.",
    not_cancellable: "Das Rezept ist abgeschlossen oder schon storniert.",
    not_rendered: "Das Rezept ist noch nicht als PDF erstellt. Erstellen Sie es zuerst.",
    rendered_again: "Das PDF wurde gerade neu erstellt. Bitte prüfen Sie es noch einmal.",
    has_anamnesis: "Dieses Rezept kann hier nicht als unterschrieben eingetragen werden.",
    subscription_inactive: "Das Abonnement ist abgeschaltet. Schalten Sie es zuerst ein.",
    too_many_subscriptions: "Mehr als 20 Abonnements sind nicht möglich. Löschen Sie zuerst eines.",
    storefront_refused: "Der Shop hat das abgelehnt.",
    storefront_unavailable: "Der Shop ist gerade nicht erreichbar. Bitte versuchen Sie es später noch einmal.",
    waitlist_entry_over: "Dieser Eintrag der Warteliste ist beendet.",
    body_too_large: "Das ist zu viel auf einmal.",
    too_many_requests: "Das waren gerade sehr viele Anfragen. Bitte warten Sie einige Sekunden.",
    overloaded: "Gerade ist sehr viel los. Bitte versuchen Sie es gleich noch einmal.",
    unavailable: "Das geht gerade nicht. Bitte versuchen Sie es gleich noch einmal.",
    internal: "Der Fehler liegt bei uns. Bitte versuchen Sie es gleich noch einmal."
  },
  unknown: "Das war nicht möglich; es wurde nichts geändert.",
  restored: "Ihre nicht gespeicherten Eingaben sind wieder da.",
  discard: "Verwerfen"
}
