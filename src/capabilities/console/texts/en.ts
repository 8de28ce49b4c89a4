import type { Shape } from "../../../texts/shape.ts"
import { deskTextsOf } from "../../shared/texts/desk.ts"
import { calendar } from "./calendar.en.ts"
import type { de } from "./de.ts"
import { did } from "./did.en.ts"
import { doctor } from "./doctor.en.ts"
import { empty } from "./empty.en.ts"
import { operator } from "./operator.en.ts"
import { pharmacy } from "./pharmacy.en.ts"
import { practice } from "./practice.en.ts"
import { problems } from "./problems.en.ts"
import { team } from "./team.en.ts"

const shared = deskTextsOf("en")

export const en: Shape<typeof de> = {
  frame: {
    ...shared.frame,
    skip: "Skip to content",
    workspaces: "Workspaces",
    menu: "Menu",
    pages: "Pages",
    group: "Settings",
    language: "Language",
    signOut: "Sign out",
    cut: "No connection: changes do not appear by themselves now. It is being restored.",
    done: "Done.",
    did,
    nothingSent: "No message goes out.",
    unreachable: "No message goes out, since no mail address is known. Please call.",
    shownOnce: "Shown only now, please copy it:",
    search: "Search",
    searchPeople: "Find a patient (Alt+S)",
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
  account: {
    title: "Sign-in and passkeys",
    link: "Sign-in",
    back: "Back to work",
    text: "With a passkey you sign in without a code: by fingerprint, face or PIN of your device.",
    none: "None yet.",
    name: "Name of the new passkey, for example “Laptop”",
    standardName: "Passkey",
    add: "Add a passkey",
    remove: "Remove {name}",
    since: "{name}, added on {date}",
    unavailable: "The address of this installation is no name: browsers make no passkeys for it.",
    refused: "The passkey could not be added. Please try again.",
    places: "Where do you want to work?",
    choose: "Open {name}"
  },
  signIn: {
    byMail: {
      title: "Sign in",
      passkey: "Sign in with a passkey",
      or: "Or with a code that we mail you:",
      email: "Mail address",
      send: "Send a code",
      invalid: "Please enter a mail address.",
      codeTitle: "Enter the code",
      codeText:
        "If {email} belongs to an account, a code is on its way there. It is valid for ten minutes; only the newest counts.",
      code: "Code from the mail",
      enter: "Sign in",
      wrong: "This code is wrong or no longer valid.",
      another: "Send a new code",
      passkeyRefused: "This passkey is not known here. Please ask for a code.",
      accept: "Accept and sign in",
      operator: "You are invited to operate this installation."
    },
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
  developmentIssuer: {
    title: "Who would you like to be?",
    text: "This identity provider runs on this machine only and asks for no password."
  },
  problems: { ...shared.problems, ...problems },
  statuses: shared.statuses,
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
  calendar,
  doctor,
  empty: { ...shared.empty, ...empty },
  operator,
  pharmacy,
  practice: { ...shared.words, ...practice },
  team
}
