/** Names and public keys of the demo world, for the pages, the banner and the walk-through. */
export const demo = {
  organisation: "org_demo",
  shop: "shop_demo",
  shopIdentifier: "demo-shop",
  managementKey: "spr_demo_management_key_0000000000000000000000",
  pharmacyKey: "spr_demo_pharmacy_key_000000000000000000000000",
  checkoutKey: "spr_demo_checkout_key_000000000000000000000000",
  bookingKeyId: "bts_demo",
  bookingSecret: "demo-booking-token-secret-that-everybody-knows",
  consultation: "aty_demo_consultation",
  customer: "customer-1"
} as const
