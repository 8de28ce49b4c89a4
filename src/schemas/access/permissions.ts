/** Permissions of API keys (Rule 1.4). */
import { Schema } from "effect"

export const organisationPermissions = [
  "scheduling:read",
  "scheduling:admin",
  "scheduling:write",
  "prescription:read",
  "prescription:external_sign",
  "create_prescription_checkout",
  "create_treatment_checkout",
  "organisation:admin",
  "patients:read",
  "patients:write",
  "patients:admin",
  "audit:read",
  "intake:read",
  "sandbox:clock"
] as const

export const pharmacyPermissions = [
  "orders_read",
  "orders_write",
  "stock_read",
  "stock_write",
  "pharmacy_sku_write",
  "webhooks_read",
  "webhooks_write"
] as const

export const OrganisationPermission = Schema.Literal(...organisationPermissions)
export const Permission = Schema.Literal(...organisationPermissions, ...pharmacyPermissions)
export type Permission = typeof Permission.Type
