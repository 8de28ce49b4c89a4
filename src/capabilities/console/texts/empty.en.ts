import type { Shape } from "../../../texts/shape.ts"
import type { empty as de } from "./empty.de.ts"

export const empty: Shape<typeof de> = {
  calendar: { text: "Here is the day of each doctor. There is no doctor yet.", action: "Add a doctor" },
  calendarTypes: {
    text: "Free times appear as soon as there is an appointment type.",
    action: "Add an appointment type"
  },
  day: {
    text: "There are no appointments on this day. They appear here as soon as somebody books online or you enter one.",
    action: "Find a free appointment"
  },
  patients: {
    text: "Here are your patients. Whoever books online is added by that; others you add yourself.",
    action: "Add a patient"
  },
  history: { text: "No appointment yet. You can book one on this page.", action: "Book an appointment" },
  consents: { text: "No consent yet. Patients give it when they book; what they sign at the practice you enter here." },
  doctors: {
    text: "Here are the doctors who can be booked. With the first one and their hours there are appointments.",
    action: "Add a doctor"
  },
  admins: { text: "Nobody gets reminders for the practice yet." },
  ofDoctor: { text: "This belongs to a doctor. There is none yet.", action: "Add a doctor" },
  hours: { text: "No hours yet. Appointments are offered within hours only.", action: "Enter hours" },
  slots: {
    text: "No appointment is free yet. That takes hours and an appointment type.",
    action: "To the appointment types"
  },
  overrides: { text: "Here are single days with other hours, or none." },
  types: {
    text: "An appointment type is what is booked: with a name, a duration and a place. Without one nothing is offered."
  },
  translations: {
    text: "All patients read name and texts as they are above. A translation is shown to those who read the pages in its language."
  },
  reminders: {
    text: "Nobody is reminded of this type. A mail on the day before is usually enough.",
    action: "Add a reminder"
  },
  resources: {
    text: "Here are rooms, devices and persons that an appointment takes. Appointment types can require them."
  },
  week: { text: "Nothing is booked in this week." },
  limits: { text: "There is no limit." },
  messages: {
    text: "Here is every mail and SMS to patients and doctors. The first is sent with the first booking.",
    action: "Book an appointment"
  },
  calls: {
    text: "Everybody has been told. Here is whom no message about an appointment has reached, with the telephone number."
  },
  prescriptionsOfPractice: {
    text: "The practice's prescriptions are listed here. None fits this choice; doctors write them on a patient's page."
  },
  ownPatients: { text: "Nobody found. Here is everybody who had or has an appointment with you." },
  shops: { text: "A shop is where people book, for example your website. Every practice needs one." },
  logo: { text: "No logo yet. It appears on the booking pages and in mails." },
  keys: { text: "With a key your own software uses the interface. There is none yet.", action: "Create a key" },
  secrets: { text: "With it your software signs who books. There is none yet." },
  subscriptions: {
    text: "Here are the addresses to which every event is reported, for example a booking.",
    action: "Add an address"
  },
  deliveries: { text: "Nothing has been delivered yet. “Test” sends an event on trial." },
  team: { text: "Here is everybody who may sign in for the practice. Invite somebody.", action: "Invite" },
  nobodyWaits: { text: "Nobody is waiting. Whoever enters the waiting room appears here by itself." },
  nothingToday: { text: "Nothing else is booked today.", action: "To the week" },
  nothingElse: { text: "Nothing else today. New bookings appear here by themselves.", action: "See your hours" },
  prescribed: { text: "No prescription yet.", action: "Write a prescription" },
  ownPrescriptions: {
    text: "No prescription waits for you. A new one is written on a patient's page.",
    action: "To the patients of today"
  },
  orders: { text: "Orders of the shops appear here as soon as one is paid there. They come by themselves." },
  column: { text: "No order." },
  stock: {
    text: "Here is your stock. The operator assigns articles to your pharmacy; then stock and prices are read from a file.",
    action: "Read a file"
  },
  payouts: {
    text: "Payouts come with every order, and are due when it is completed.",
    action: "To the orders"
  },
  todo: { text: "Nothing waits. Here is what needs somebody: failed jobs, payouts, orders and deliveries." },
  parked: { text: "No payout waits. Here are payouts that cannot be made, for example without an account." },
  waitingOrders: { text: "No order waits. Here are orders that still lack something, for example a prescription." },
  webhooks: { text: "Everything is delivered. Here are receivers that do not take events." },
  deadLetters: { text: "No job has failed for good. What fails after all attempts is here to be repeated." }
}
