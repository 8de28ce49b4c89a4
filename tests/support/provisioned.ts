import type { Placed } from "./practice.ts"
import type { TestServer } from "./server.ts"
import { makeWorld, type World } from "./world.ts"

/** Provisions an appointment of the world's first doctor; returns its uid. */
export const place = (world: World, patient_uid: string, placed: Placed) =>
  world.run(world.practice.place(patient_uid, placed))

/** A world with one known patient, the customer "anna". */
export const worldWithPatient = async (server: TestServer, options: Parameters<typeof makeWorld>[1] = {}) => {
  const world = await makeWorld(server, options)
  const anna = world.practice.customer("anna", { first_name: "Anna", last_name: "Muster" })
  const { patient_uid } = await world.run(anna)
  return { world, patient_uid }
}
