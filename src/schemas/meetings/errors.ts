/** Errors of meetings. */
import { NotFoundError } from "../DomainError.ts"

export class MeetingNotFound extends NotFoundError("MeetingNotFound", "Meeting") {}
