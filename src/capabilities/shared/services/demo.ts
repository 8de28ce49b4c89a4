/** Names and public keys of the demo world, for the pages, the banner, the tour and the walk-through. */
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
  customer: "customer-1",
  /** The practice of the tour, with eight weeks of appointments. The guides use the bare shop above. */
  practice: {
    organisation: "org_garten",
    shop: "shop_garten",
    shopIdentifier: "stadtgarten",
    managementKey: "spr_demo_practice_key_000000000000000000000000",
    pharmacyKey: "spr_demo_garten_pharmacy_key_0000000000000000",
    consultation: "aty_video",
    /** The first has terms of payment; the other lacks an account, so its payouts are parked. */
    pharmacies: ["pha_garten", "pha_hafen"],
    /** A doctor with a patient who waits. */
    doctor: "doc_berger",
    /** The patient who waits, and the appointment. */
    customer: "garten_1",
    appointment: "apt_now_waiting"
  }
} as const
