import type { Shape } from "../shape.ts"
import { absences } from "./absences.en.ts"
import { calendar } from "./calendar.en.ts"
import type { de } from "./de.ts"
import { doctor } from "./doctor.en.ts"
import { empty } from "./empty.en.ts"
import { operator } from "./operator.en.ts"
import { pharmacy } from "./pharmacy.en.ts"
import { planning } from "./planning.en.ts"
import { practice } from "./practice.en.ts"
import { problems } from "./problems.en.ts"
import { team } from "./team.en.ts"

export const en: Shape<typeof de> = {
  frame: {
    skip: "Skip to content",
    workspaces: "Workspaces",
    menu: "Menu",
    pages: "Pages",
    group: "Settings",
    language: "Language",
    signOut: "Sign out",
    cut: "No connection: changes do not appear by themselves now. It is being restored.",
    done: "Done.",
    shownOnce: "Shown only now, please copy it:",
    save: "Save",
    remove: "Delete",
    lost: "{what}? This cannot be undone.",
    search: "Search",
    searchPeople: "Find a patient (Alt+S)",
    yes: "Yes",
    no: "No",
    earlier: "Back",
    later: "Next",
    thisWeek: "This week",
    weekOf: "Week of {day}"
  },
  workspaces: { doctor: "Doctor", admin: "Practice", pharmacy: "Pharmacy", operator: "Operator" },
  failures: {
    missing: { title: "Not found", text: "It does not exist, or it is not yours." },
    refused: {
      title: "Not carried out",
      text: "The form does not come from this session. Please reload the page and try again."
    },
    forbidden: {
      title: "No permission",
      text: "Your role in the practice does not allow this. Please ask the head of the practice."
    },
    signedOut: {
      title: "You are no longer signed in",
      text: "Please sign in in a new window, then open this page again. What you typed is kept, and a call goes on.",
      signIn: "Sign in",
      again: "Open again"
    },
    tooMany: { title: "One moment please", text: "There were a great many requests just now." },
    failed: { title: "That did not work", text: "The fault is ours. Please try again in a moment." }
  },
  signIn: {
    notSetUp: {
      title: "Signing in is not set up",
      text: "The operator has to set OIDC_CLIENT_ID, and an https address outside of one's own machine."
    },
    unavailable: {
      title: "The identity provider does not answer",
      text: "Please try again in a moment.",
      again: "Sign in again"
    },
    refused: {
      title: "Signing in did not work",
      text: "The identity provider did not confirm you, or it took too long.",
      again: "Sign in again"
    },
    noRole: {
      title: "No permission",
      text: "Your account has no role here. Please ask your administrator.",
      again: "Sign in as somebody else"
    },
    invitation: {
      title: "Invitation",
      text: "{practice} invites you ({name}) to work together. Sign in to accept the invitation.",
      accept: "Sign in and accept"
    },
    invitationGone: {
      title: "The invitation is no longer valid",
      text: "It was accepted already, is older than seven days, or your account belongs to a practice already. Please ask for a new one.",
      again: "Sign in"
    },
    signedOut: { title: "Signed out", text: "You are signed out.", again: "Sign in" },
    ending: "Signing you out",
    onward: "Continue"
  },
  tour: {
    title: "Sprechstunde in six steps",
    text: "This is a demo with made-up data: a practice with six doctors, their patients and two pharmacies. You can try everything.",
    sameByInterface: "The same by the interface",
    steps: {
      patient: {
        title: "As a patient",
        text: "Book an appointment in two steps. Then move it, cancel it or test your device.",
        open: "Book an appointment",
        more: "See an appointment that begins now"
      },
      doctor: {
        title: "As a doctor",
        text: "Somebody waits for Dr. Berger. Open the appointment above in a second browser, and you talk to yourself.",
        open: "Open the day of Dr. Berger"
      },
      practice: {
        title: "At the reception desk",
        text: "The week of all doctors: booking, moving, absences, the waiting list and statistics.",
        open: "Open the practice"
      },
      pharmacy: {
        title: "In the pharmacy",
        text: "Accept orders, pack and send them; stock and payouts.",
        open: "Open the pharmacy"
      },
      operator: {
        title: "As the operator",
        text: "What is stuck, what fails, who may do what: the view of those who run the service.",
        open: "Open the operator's view"
      },
      partner: {
        title: "As a partner",
        text: "Everything here works through the REST interface. The documentation sends requests to this demo.",
        open: "Open the documentation"
      }
    }
  },
  developmentIssuer: {
    title: "Who would you like to be?",
    text: "This identity provider runs on this machine only and asks for no password."
  },
  problems,
  statuses: {
    held: "held",
    confirmed: "confirmed",
    cancelled: "cancelled",
    expired: "expired",
    completed: "took place",
    no_show: "did not come"
  },
  formats: { DIGITAL: "Video", IN_PERSON: "Practice" },
  webhooks: {
    subscriptions: "Subscriptions",
    active: "active",
    inactive: "switched off",
    test: "Test",
    switchOff: "Switch off",
    switchOn: "Switch on",
    rotate: "New secret",
    create: "Add a subscription",
    address: "Address",
    types: "Events",
    deliveries: "Deliveries",
    change: "Change",
    sentData: "What was sent",
    replay: "Send again",
    statuses: { pending: "waiting", delivered: "delivered", failed: "failed" }
  },
  absences,
  calendar,
  doctor,
  empty,
  operator,
  pharmacy,
  planning,
  practice,
  team
}
