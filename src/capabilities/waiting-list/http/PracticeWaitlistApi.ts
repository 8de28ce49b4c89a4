/** Contract: the waiting list by API key (section 19.1). */

import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../http/annotations.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../http/credentials/credentials.ts"
import { GroupPermissions } from "../../../http/credentials/requiredPermissions.ts"
import { UsesKey } from "../../../http/idempotent.ts"
import { recordEndpoints } from "../../../http/recordEndpoints.ts"
import { IdempotencyKeyReused, PatientNotFound } from "../../../schemas/access/errors.ts"
import { Paged } from "../../../schemas/paging.ts"
import { Invalid } from "../../../schemas/problems.ts"
import { AppointmentTypeNotFound } from "../../../schemas/scheduling/errors.ts"
import { TooManyEntries, WaitlistEntryNotFound, WaitlistEntryOver } from "../schemas/errors.ts"
import {
  EntryOffers,
  NewWaitlistEntry,
  WaitlistEntry,
  WaitlistEntryChanges,
  WaitlistEntryQuery,
  WaitlistEntryUid
} from "../schemas/Waitlist.ts"
import { problem } from "./problems.ts"

const one = Schema.Struct({ waitlist_entry_uid: WaitlistEntryUid })
const entries = recordEndpoints("/waitlist-entries/:waitlist_entry_uid", one, WaitlistEntry, WaitlistEntryNotFound)

export class PracticeWaitlistApi extends apiGroup(
  "management.waitlist",
  entries.list("list", "List the waiting list, by age", WaitlistEntryQuery, Paged(WaitlistEntry)),
  HttpApiEndpoint.post("create", "/waitlist-entries")
    .annotate(UsesKey, "service")
    .setPayload(NewWaitlistEntry)
    .addSuccess(WaitlistEntry, { status: 201 })
    .addSuccess(WaitlistEntry, { status: 200 })
    .addError(problem(IdempotencyKeyReused, Invalid, PatientNotFound, AppointmentTypeNotFound, TooManyEntries))
    .annotate(OpenApi.Summary, "Put a patient on the waiting list")
    .annotate(
      OpenApi.Description,
      "Time that becomes free is offered to those whom it fits, by `need`, then by age. The same wish again is 200 with the " +
        "first entry; a patient has at most five live entries. With `appointment_uid` an earlier time moves that appointment."
    ),
  entries.read("get", "Read a waiting-list entry"),
  HttpApiEndpoint.get("offers", "/waitlist-entries/:waitlist_entry_uid/offers")
    .setPath(one)
    .addSuccess(EntryOffers)
    .addError(problem(WaitlistEntryNotFound))
    .annotate(OpenApi.Identifier, "listWaitlistEntryOffers")
    .annotate(OpenApi.Summary, "Read what an entry was offered, and why others were asked first"),
  entries
    .update("update", "Change a waiting-list entry; only sent fields change", WaitlistEntryChanges, WaitlistEntryOver)
    .annotate(OpenApi.Description, 'It keeps its place. `status: "waiting"` goes on after a pause; `ended` is final.'),
  entries
    .remove("remove", "Delete a waiting-list entry")
    .annotate(OpenApi.Description, "An open offer ends, and its time is offered to the next.")
)
  .middleware(OrganisationKey)
  .prefix("/v1/management/scheduling")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:write"] })
  .annotate(Noun, "WaitlistEntry")
  .annotate(Recorded, true)
  .annotate(OpenApi.Title, "Management: waiting list")
  .annotate(OpenApi.Description, "Patients who wait for a time that becomes free") {}
