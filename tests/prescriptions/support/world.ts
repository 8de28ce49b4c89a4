/** Organisations with prescriptions. */
import { Effect } from "effect"
import { Provisioning } from "../../../src/capabilities/shared/services/provisioning/Provisioning.ts"
import { system } from "../../../src/schemas/access/Actor.ts"
import {
  OrganisationUid,
  PharmacyOrderUid,
  PharmacyUid,
  PrescriptionUid,
  ShopUid,
  SkuUid
} from "../../../src/schemas/ids.ts"
import { DomainClock } from "../../../src/services/DomainClock.ts"
import { PrescriptionFiles } from "../../../src/services/prescriptions/PrescriptionFiles.ts"
import { PrescriptionSigner } from "../../../src/services/prescriptions/PrescriptionSigner.ts"
import { Prescriptions } from "../../../src/services/prescriptions/Prescriptions.ts"
import { PrescriptionsRepo } from "../../../src/services/prescriptions/PrescriptionsRepo.ts"
import { onlyOwner } from "../../../src/services/tenancy/Tenancy.ts"
import { eventually } from "../../support/eventually.ts"
import { provisioned } from "../../support/practice.ts"
import type { Services, TestLayers, TestServer } from "../../support/server.ts"
import { makeWorld, random, type WorldOptions } from "../../support/world.ts"

export const PATIENT = { first_name: "Zoë", last_name: "Żółć", date_of_birth: 641_520_000, gender: "female" }

/** Medicines, a pharmacy that sells them, and prescriptions of an organisation, whose services see its rows only. */
const prescriptionsOf = async (
  server: TestLayers,
  owner: { readonly organisation_uid: string; readonly shop_uid: string }
) => {
  const organisation_uid = OrganisationUid.make(owner.organisation_uid)
  const shop_uid = ShopUid.make(owner.shop_uid)
  const provision = (json: unknown) => server.run(Effect.flatMap(Provisioning, ({ apply }) => apply(json)))
  const inside = <A, E>(program: Effect.Effect<A, E, Services>) => server.run(onlyOwner({ organisation_uid })(program))
  const sku_uid = SkuUid.make(random("sku"))
  const product_uid = random("prd")
  const pharmacy_uid = PharmacyUid.make(random("pha"))
  const pharmacyKey = random("spr_key_that_is_long_enough")
  const doctor_uid = random("doc")
  const unit = { standard_selling_unit: 20, unit: "Stück" }
  await provision({
    doctors: [
      {
        uid: doctor_uid,
        organisation_uid,
        display_name: "Dr. Ärztin",
        phone: "+49 30 123",
        profession: "Fachärztin für Allgemeinmedizin",
        address: "Lindenstraße 5, 10115 Berlin"
      }
    ],
    products: [{ uid: product_uid, display_name: "Ibuprofen", handle: product_uid }],
    skus: [
      { uid: sku_uid, product_uid, display_name: "400 mg Filmtabletten", pzn: "01234567", ...unit, selling_price: 1000 }
    ],
    pharmacies: [{ uid: pharmacy_uid, name: "Apotheke" }],
    pharmacy_skus: [{ uid: random("psk"), pharmacy_uid, sku_uid, external_id: random("ext"), price: 800, stock: 10 }],
    api_keys: [{ key: pharmacyKey, name: "all", permissions: ["orders_read", "orders_write"], pharmacy_uid }]
  })

  /** Provisions a prescription; returns its uid. */
  const prescription = async (fields: Readonly<Record<string, unknown>> = {}) => {
    const uid = PrescriptionUid.make(random("prx"))
    const items = [{ uid: "item_1", sku_uid, quantity: 2, dosage: "1-0-1" }]
    const waiting = {
      uid,
      organisation_uid,
      shop_uid,
      status: "WAITING_FOR_DOCTOR",
      doctor_uid,
      patient: PATIENT,
      items
    }
    await provision({ prescriptions: [{ ...waiting, ...fields }] })
    return uid
  }

  const refOf = (uid: string) => ({ organisation_uid, prescription_uid: PrescriptionUid.make(uid) })
  /** Gives a prescription this file, without rendering. */
  const store = (uid: PrescriptionUid, area: "signed" | "unsigned", text = `%PDF-1.7 ${uid}`) =>
    inside(
      Effect.gen(function* () {
        const file = yield* Effect.flatMap(PrescriptionFiles, (files) => files.put(area, refOf(uid), Buffer.from(text)))
        const now = yield* Effect.flatMap(DomainClock, (clock) => clock.now)
        yield* Effect.flatMap(PrescriptionsRepo, (repo) => repo.addFile(refOf(uid), file, now))
      })
    )
  /** Provisions a prescription with an unsigned file, as if it were rendered; returns its uid. */
  const filed = async (fields: Readonly<Record<string, unknown>> = {}) => {
    const uid = await prescription(fields)
    await store(uid, "unsigned")
    return uid
  }
  /** The record of the management interface. */
  const shown = (uid: string) => inside(Effect.flatMap(Prescriptions, (_) => _.get(refOf(uid))))
  const signing = (uid: string) => Effect.flatMap(PrescriptionSigner, (_) => _.externalSign(refOf(uid), system))
  const signExternally = (uid: string) => inside(signing(uid))

  /** Creates a paid order with the prescription's articles; returns its uid. */
  const paidOrder = async (prescription_uid: string, fields: Readonly<Record<string, unknown>> = {}) => {
    const uid = PharmacyOrderUid.make(random("pho"))
    const line = { sku_uid, quantity: 2, unit_price: 1000 }
    await provision({
      pharmacy_orders: [{ uid, name: "#1", pharmacy_uid, shop_uid, prescription_uid, lines: [line], ...fields }]
    })
    return uid
  }

  return {
    organisation_uid,
    shop_uid,
    provision,
    inside,
    sku_uid,
    pharmacy_uid,
    pharmacyKey,
    doctor_uid,
    prescription,
    refOf,
    store,
    filed,
    shown,
    signing,
    signExternally,
    paidOrder
  }
}

/** The same in a practice without its API. */
export const layeredPrescriptions = async (server: TestLayers) => {
  const practice = await server.run(provisioned({ doctors: 1 }))
  return { ...practice, ...(await prescriptionsOf(server, practice)) }
}
export type LayeredPrescriptions = Awaited<ReturnType<typeof layeredPrescriptions>>

export const prescriptionWorld = async (server: TestServer, options?: WorldOptions) => {
  const world = await makeWorld(server, options)
  const own = await prescriptionsOf(server, world)

  const path = (uid: string) => `/v1/management/prescriptions/${uid}`
  const get = (uid: string) => world.api("GET", path(uid))
  const render = (uid: string) => world.api("POST", `${path(uid)}/render`)
  /** Waits for the PDF; returns the prescription's record. */
  const rendered = (uid: string) =>
    eventually(
      () => get(uid),
      ({ body }) => body.rendered,
      280
    )
  const externalSign = (uid: string) => world.api("POST", `${path(uid)}/external-sign`)
  const cancel = (uid: string, body: unknown = { reason: "Entered twice" }) =>
    world.api("POST", `${path(uid)}/cancel`, body)

  return { ...world, ...own, get, render, rendered, externalSign, cancel }
}
export type PrescriptionWorld = Awaited<ReturnType<typeof prescriptionWorld>>
