import type { Shape } from "../../../texts/shape.ts"
import type { pharmacy as de } from "./pharmacy.de.ts"

export const pharmacy: Shape<typeof de> = {
  pages: { orders: "Orders", stock: "Stock", payouts: "Payouts", webhooks: "Webhooks" },
  statuses: {
    new: "new",
    accepted: "accepted",
    in_preparation: "in preparation",
    ready_for_pickup: "ready for pick-up",
    shipped: "shipped",
    completed: "completed",
    rejected: "rejected",
    cancelled: "cancelled"
  },
  steps: {
    accepted: "Accept",
    in_preparation: "Prepare",
    ready_for_pickup: "Ready for pick-up",
    shipped: "Ship",
    completed: "Complete",
    rejected: "Reject",
    cancelled: "Cancel"
  },
  change: {
    title: "Changed in the shop",
    reasons: {
      edited: "The order was edited in the shop. Please check it before it goes on.",
      refunded: "Money was refunded in the shop. Please check whether the order is still delivered, and what of it.",
      cancelled: "The order was cancelled in the shop.",
      prescription_not_usable: "The prescription does not cover the changed order. Please ask the shop.",
      anamnesis_required:
        "The shop demands an anamnesis for an article, and it is missing. The shop has to settle this."
    },
    now: "To deliver",
    paidNow: "Paid",
    refunded: "Refunded",
    accept: "Accept the change",
    acceptNothing: "Cancel the order"
  },
  undo: "Undo",
  problem: {
    title: "Problem",
    report: "Report a problem",
    change: "Change the report",
    help: "The shop is notified. The order keeps its status.",
    missing: "{article}: how many of {n} are missing?",
    message: "Message to the shop",
    send: "Report",
    over: "The problem is solved",
    since: "Reported {time}",
    badge: "Problem",
    partly: "partly available",
    nothing: "not available"
  },
  questions: {
    ready_for_pickup: "Is the order {order} packed and ready to be picked up?",
    completed: "Complete order {order}? Your share is then paid out. This cannot be undone.",
    rejected: "Reject order {order}? This cannot be undone.",
    cancelled: "Cancel order {order}? This cannot be undone."
  },
  pickup: "pick-up",
  delivery: "delivery",
  moreArticles: "and {n} more",
  money: {
    paid: "{amount} were paid. They are not refunded from here: the shop is told and gives them back to the customer. You get no payout for it, and the articles go back into stock.",
    unpaid: "Nothing was paid yet, so nothing is to be refunded."
  },
  age: { one: "for 1 day", other: "for {n} days" },
  search: "Order number or prescription",
  allOrders: "all orders",
  from: "from",
  to: "to",
  find: "Show",
  showAll: "Show all {n}",
  board: "Overview",
  found: { one: "1 order", other: "{n} orders" },
  saveTracking: "Save the tracking code",
  faults: {
    jump: "The price would be more than ten times or less than a tenth – write it with cents (1,299.00) to apply it",
    unknown: "Unknown article – not applied",
    stock: "Unreadable stock – not applied",
    price: "Unreadable price – not applied",
    twice: "The article is in the file more than once – not applied",
    cells: "Too many columns – not applied"
  },
  refusedRows: {
    one: "1 line cannot be read and stays unchanged.",
    other: "{n} lines cannot be read and stay unchanged."
  },
  month: "Month",
  sums: "Sums of the month",
  tooManyPayouts: "This month has too many payouts for a sum. Please filter by status.",
  ordered: "Ordered on",
  paidOut: "Paid out on",
  route: "Payout number",
  currency: "Currency",
  choose: "Choose a pharmacy",
  paid: "paid",
  unpaid: "not paid yet",
  pickingList: "Picking list",
  print: "Print",
  article: "Article",
  amount: "Quantity",
  place: "Your number",
  prescription: "Prescription",
  noPrescription: "No prescription",
  address: "Shipping address",
  carrier: "Carrier",
  tracking: "Tracking code",
  reason: "Reason",
  price: "Price (euro)",
  stock: "Stock",
  importTitle: "Change many at once",
  importHelp:
    "Paste from a spreadsheet or choose a CSV file: number or PZN, stock, price in euro. The first line may hold headings.",
  file: "CSV file",
  preview: "Show the changes",
  apply: { one: "Apply 1 change", other: "Apply {n} changes" },
  was: "before",
  becomes: "after",
  unchanged: "unchanged",
  projected: "expected",
  routed: "paid out",
  all: "all",
  csv: "As CSV",
  components: { item_rest: "Goods", item_markup: "Markup", shipping: "Shipping" },
  order: "Order",
  part: "Part",
  status: "Status",
  sum: "Amount"
}
