import { DomainError, NotFoundError } from "../../../schemas/DomainError.ts"

export class FilesOff extends DomainError(
  "FilesOff",
  "files: this installation takes no files, since nothing scans them (CLAMAV_URL)"
) {
  static readonly code = "files_off"
}
export class TooManyFiles extends DomainError("TooManyFiles", "A form has at most ten files") {}
export class FormFileNotFound extends NotFoundError("FormFileNotFound", "File") {}
export class RequestNotFound extends NotFoundError("RequestNotFound", "Request") {}
export class RequestTypeNotFound extends NotFoundError("RequestTypeNotFound", "Request type") {}
export class TooManyOpenRequests extends DomainError(
  "TooManyOpenRequests",
  "The patient has ten requests that the practice has not answered yet: wait for an answer, or call the practice"
) {}
export class RequestClosed extends DomainError("RequestClosed", "The request is closed") {}
