import type { Shape } from "../../../texts/shape.ts"
import type { operator as de } from "./operator.de.ts"

export const operator: Shape<typeof de> = {
  pages: {
    overview: "Overview",
    jobs: "Jobs",
    backlog: "Backlog",
    provisioning: "Provisioning"
  },
  organisation: {
    list: "Organisations",
    find: "Name, identifier or shop",
    found: { one: "{n} organisation", other: "{n} organisations" },
    doctors: { one: "{n} doctor", other: "{n} doctors" },
    since: "created {date}",
    title: "New organisation",
    made: "{name} was created",
    signIn:
      "The head of the practice signs in with the mail address. Then that person invites everybody else on the page “Team” and creates doctors and types.",
    next: "At the identity provider, the head of the practice needs the role admin and the organisation_uid {uid}.",
    name: "Name as patients read it",
    zone: "Time zone",
    shop: "Identifier of the shop (in addresses)",
    shopHelp: "Lower-case letters, digits and hyphens, for example praxis-am-markt",
    admin: "Head of the practice (name)",
    email: "Their mail address",
    emailHelp: "They sign in with it and get reminders.",
    create: "Create the organisation",
    shopMade: "Booking page made",
    booked: "First booking",
    lastUse: "last used {time}",
    members: "Members and keys",
    key: "API key",
    person: "Person"
  },
  find: "Find",
  log: "Audit log",
  health: "Health",
  mails: {
    title: "Messages",
    sentBy: {
      smtp: "Mails go out by the mail server.",
      folder: "Mails are in the folder outbox: this installation sends none.",
      nothing: "No mail goes out: set SMTP_URL."
    },
    waiting: "waiting",
    failed: "failed (24 hours)",
    last: "last sent"
  },
  disk: {
    title: "Disk",
    database: "Database",
    free: "free for files",
    freeOf: "{free} of {total}",
    bucket: "Files are in a bucket.",
    low: "Less than a tenth is free."
  },
  backup: {
    title: "Backup of the database",
    archive: "The database's log is archived.",
    stream: "The database's log is streamed.",
    nothing: "The database's log is kept nowhere: set up a backup.",
    working: "works",
    broken: "does not work",
    last: "last {time}"
  },
  errors: {
    title: "Errors",
    none: "Since {time} this process has answered each of {n} requests.",
    some: "Since {time} {failed} of {n} requests of this process have failed."
  },
  ready: "ready",
  notReady: "not ready",
  versions: "Versions",
  replicas: "Processes",
  host: "Machine",
  role: "Role",
  version: "Version",
  started: "Started",
  seen: "Last report",
  masterKey: "Master key",
  opens: "opens the database",
  opensNot: "does not open the database: check MASTER_KEY",
  dataKeys: { one: "{n} data key under {key}", other: "{n} data keys under {key}" },
  rotating: "The exchange is not finished: let `cli secrets rotate-master-key` run to its end.",
  todo: "To do",
  queues: "Queues",
  queue: "Queue",
  waitingNow: "ready",
  later: "later",
  active: "active",
  failed: "failed",
  deadLetters: "Jobs given up",
  deadLettersHelp: "All their attempts have failed. Mend the cause first, then try again. They are kept for 30 days.",
  retry: "Try again",
  discard: "Discard",
  attempts: "{n} retries, given up {time}",
  webhooks: "Webhooks by subscriber",
  webhooksHelp: "The subscriber does not answer, or answers with an error. It is tried again by itself.",
  owner: "Owner",
  address: "Address",
  pending: "pending",
  givenUp: "given up",
  oldest: "oldest",
  replay: "Send again",
  parked: "Parked payouts",
  parkedHelp: "Mend the reason that is named, for example set the pharmacy's payment account, then route them.",
  resume: "Route",
  pharmacy: "Pharmacy",
  order: "Order",
  amount: "Amount",
  reason: "Reason",
  /** By the interface's text. */
  parkedReasons: {
    "the pharmacy has no payment account": "The pharmacy has no payment account",
    "the payouts are more than the patient paid, less refunds":
      "The payouts are more than the patient paid, less refunds"
  },
  waitingOrders: "Waiting orders",
  retryAll: "Try again now",
  release: "Release without an anamnesis",
  shop: "Shop",
  since: "since",
  reasons: {
    no_pharmacy:
      "No pharmacy carries every article: give the shop a default pharmacy, or one pharmacy all the articles.",
    prescription_not_usable:
      "A prescription that is named is not signed, is completed, or does not hold the article: ask the shop.",
    anamnesis_required:
      "The shop demands an anamnesis for an article, and it is missing: cancel the order in the shop, or release it without one."
  },
  file: "File",
  fileText: "Provisioning file (JSON)",
  fileHelp: "The differences are shown first; nothing is changed by that.",
  reset: "Write entries too that have not changed in the file",
  compare: "Show the differences",
  differences: "Differences",
  noDifferences: "The file would change nothing.",
  apply: { one: "Apply {n} entry", other: "Apply {n} entries" },
  entry: "Entry",
  field: "Field",
  before: "before",
  after: "after",
  outcomes: { created: "new", changed: "changed", kept: "stays as it was changed since" },
  hidden: "not shown"
}
