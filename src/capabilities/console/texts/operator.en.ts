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
    title: "New organisation",
    made: "The organisation was created",
    next: "At the identity provider, the head of the practice needs the role admin and the organisation_uid {uid}. Then that person invites everybody else on the page “Team” and creates doctors and types.",
    name: "Name as patients read it",
    zone: "Time zone",
    shop: "Identifier of the shop (in addresses)",
    shopHelp: "Lower-case letters, digits and hyphens, for example praxis-am-markt",
    admin: "Recipient of reminders (name)",
    email: "Mail",
    create: "Create the organisation"
  },
  health: "Health",
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
