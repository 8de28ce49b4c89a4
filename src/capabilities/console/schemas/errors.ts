/** Errors of operators' tasks, people, messages and calendar addresses. */
import { NotFoundError } from "../../../schemas/DomainError.ts"

export class DeadLetterNotFound extends NotFoundError("DeadLetterNotFound", "Dead letter") {}
export class StaffPersonNotFound extends NotFoundError("StaffPersonNotFound", "Person") {}
export class MessageNotFound extends NotFoundError("MessageNotFound", "Message") {}
export class CalendarFeedNotFound extends NotFoundError("CalendarFeedNotFound", "Calendar address") {}
