/** Wer in der Praxis arbeitet, und wer eine Akte angesehen hat. */
export const team = {
  title: "Team",
  people: "Wer sich anmelden darf",
  help: "Hier stehen alle, denen der Anmeldedienst eine Rolle gibt, ab ihrer ersten Anmeldung, und alle Eingeladenen. Eine hier gesetzte Rolle gilt anstelle der Rolle des Anmeldedienstes.",
  self: "{name} (Sie)",
  fromProvider: "Rolle vom Anmeldedienst",
  seen: "zuletzt angemeldet {time}",
  expires: "Einladung gilt bis {time}",
  statuses: { invited: "eingeladen", active: "aktiv", removed: "entfernt" },
  role: "Rolle",
  roles: {
    owner: "Praxisleitung",
    reception: "Empfang",
    assistant: "Praxisassistenz",
    doctor_assistant: "Arztassistenz",
    billing: "Abrechnung",
    read_only: "Nur lesen"
  },
  may: {
    owner: "alles, auch Team, Einstellungen, Schnittstellen und Protokoll",
    reception: "Termine, Patienten, Abwesenheiten, Warteliste und Wiedervorstellungen",
    assistant: "wie der Empfang, dazu Sprechzeiten, Terminarten, Räume und Auswertung",
    doctor_assistant: "wie der Empfang, dazu Rezepte",
    billing: "Termine, Patienten, Rezepte und Auswertung ansehen",
    read_only: "Termine und Patienten ansehen"
  },
  whatMay: "Was die Rollen dürfen",
  invite: "Einladen",
  inviteHelp:
    "Sie bekommen einen Link, den Sie der Person schicken. Er gilt sieben Tage und einmal; sie meldet sich damit beim Anmeldedienst an.",
  again: "Neuer Einladungslink",
  remove: "Entfernen",
  removeQuestion:
    "{name} entfernen? Die Anmeldung in dieser Praxis ist dann nicht mehr möglich. Der Name bleibt im Protokoll."
}
