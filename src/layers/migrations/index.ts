/** Every change of the schema, in order. A migration that has landed is never edited. */
import { tenants } from "./0001_tenants.ts"
import { scheduling } from "./0002_scheduling.ts"
import { events } from "./0003_events.ts"
import { management } from "./0010_management.ts"
import { actionLinks } from "./0011_action_links.ts"
import { webhooks } from "./0020_webhooks.ts"
import { reminders } from "./0021_reminders.ts"
import { pharmacies } from "./0030_pharmacies.ts"
import { pharmacyOrders } from "./0031_pharmacy_orders.ts"
import { payouts } from "./0032_payouts.ts"
import { pharmacyKeys } from "./0033_pharmacy_keys.ts"
import { prescriptions } from "./0040_prescriptions.ts"
import { prescriptionReasons } from "./0041_prescription_reasons.ts"
import { checkouts } from "./0050_checkouts.ts"
import { storefronts } from "./0051_storefronts.ts"
import { hostedPages } from "./0060_hosted_pages.ts"
import { rateLimits } from "./0070_rate_limits.ts"
import { eventTraces } from "./0071_event_traces.ts"
import { unknownPatients } from "./0080_unknown_patients.ts"
import { waitingOrders } from "./0081_waiting_orders.ts"
import { abandonedCheckouts } from "./0082_abandoned_checkouts.ts"
import { orderSearch } from "./0083_order_search.ts"
import { payoutRanges } from "./0084_payout_ranges.ts"

export const migrations = {
  "0001_tenants": tenants,
  "0002_scheduling": scheduling,
  "0003_events": events,
  "0010_management": management,
  "0011_action_links": actionLinks,
  "0020_webhooks": webhooks,
  "0021_reminders": reminders,
  "0030_pharmacies": pharmacies,
  "0031_pharmacy_orders": pharmacyOrders,
  "0032_payouts": payouts,
  "0033_pharmacy_keys": pharmacyKeys,
  "0040_prescriptions": prescriptions,
  "0041_prescription_reasons": prescriptionReasons,
  "0050_checkouts": checkouts,
  "0051_storefronts": storefronts,
  "0060_hosted_pages": hostedPages,
  "0070_rate_limits": rateLimits,
  "0071_event_traces": eventTraces,
  "0080_unknown_patients": unknownPatients,
  "0081_waiting_orders": waitingOrders,
  "0082_abandoned_checkouts": abandonedCheckouts,
  "0083_order_search": orderSearch,
  "0084_payout_ranges": payoutRanges
}
