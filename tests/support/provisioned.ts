import type { TestServer } from "./server.ts"
import { makeWorld, random, type World } from "./world.ts"

export interface Placed {
  readonly status: string
  /** Unix seconds. */
  readonly start_date: number
  readonly minutes?: number
  readonly fields?: Readonly<Record<string, unknown>>
}

/** Provisions an appointment of the world's first doctor; returns its uid. */
export const place = async (
  world: World,
  patient_uid: string,
  { status, start_date, minutes = 20, fields }: Placed
) => {
  const uid = random("apt")
  await world.provision({
    appointments: [
      {
        uid,
        organisation_uid: world.organisation_uid,
        doctor_uid: world.doctor,
        patient_uid,
        appointment_type_uid: world.type_uid,
        status,
        start_date,
        end_date: start_date + minutes * 60,
        ...fields
      }
    ]
  })
  return uid
}

/** A world with one known patient, the customer "anna". */
export const worldWithPatient = async (server: TestServer, options: Parameters<typeof makeWorld>[1] = {}) => {
  const world = await makeWorld(server, options)
  const patient_uid = random("pat")
  await world.provision({
    patients: [
      {
        uid: patient_uid,
        organisation_uid: world.organisation_uid,
        shop_uid: world.shop_uid,
        shop_customer_id: "anna",
        profile: { first_name: "Anna", last_name: "Muster" }
      }
    ]
  })
  return { world, patient_uid }
}
