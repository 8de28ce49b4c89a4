/** The records of the sample provisioning file to which entries of other lists refer. */
export const exampleUids = {
  organisation_uid: "org_practice",
  shop_uid: "shp_practice",
  doctor_uid: "doc_weber",
  patient_uid: "pat_1",
  resource_uid: "res_room_1",
  appointment_type_uid: "aty_consultation",
  pharmacy_uid: "pha_corner",
  sku_uid: "sku_ibuprofen_20"
}
