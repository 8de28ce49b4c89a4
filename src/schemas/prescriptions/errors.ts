/** Errors of prescriptions and their files. */
import { DomainError, NotFoundError } from "../DomainError.ts"
import type { PrescriptionStatus } from "./PrescriptionStates.ts"

export class PrescriptionNotFound extends NotFoundError("PrescriptionNotFound", "Prescription") {}
export class FileNotFound extends NotFoundError("FileNotFound", "File") {}

export class PrescriptionNotWaiting extends DomainError(
  "PrescriptionNotWaiting",
  "The prescription does not wait for a doctor; `error` names its status"
)<{ readonly status: PrescriptionStatus }> {
  override get message() {
    return `The prescription is ${this.status}, not WAITING_FOR_DOCTOR`
  }
}

export class PrescriptionNotCancellable extends DomainError(
  "PrescriptionNotCancellable",
  "The prescription is completed or cancelled; `error` says which"
)<{ readonly status: PrescriptionStatus }> {
  override get message() {
    return `The prescription is ${this.status}`
  }
}

export class HasAnamnesis extends DomainError(
  "HasAnamnesis",
  "At least one item has an anamnesis: it needs the doctor's own decision"
) {}

export class NotRendered extends DomainError("NotRendered", "No PDF has been rendered yet: render it first") {}

export class RenderedAgain extends DomainError("RenderedAgain", "The PDF has just changed: try again") {}
