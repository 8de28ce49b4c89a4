import { random, type World } from "./world.ts"

/** Two prescriptions that wait for the world's first doctor, without PDFs. */
export const waitingPrescriptions = async (world: World, doctor_uid: string = world.doctor) => {
  const [product, sku] = [random("prd"), random("sku")]
  const uids = [random("prx"), random("prx")] as const
  const unit = { standard_selling_unit: 20, unit: "Stück", selling_price: 599 }
  await world.provision({
    products: [{ uid: product, display_name: "Ibuprofen", handle: product }],
    skus: [{ uid: sku, product_uid: product, display_name: "Ibuprofen 400", ...unit }],
    prescriptions: uids.map((uid) => ({
      uid,
      organisation_uid: world.organisation_uid,
      shop_uid: world.shop_uid,
      status: "WAITING_FOR_DOCTOR",
      doctor_uid,
      patient: { first_name: "Erika", last_name: "Muster", date_of_birth: 0, gender: "female" },
      items: [{ sku_uid: sku, quantity: 2 }]
    }))
  })
  return uids
}
