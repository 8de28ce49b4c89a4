/** Addresses that organisations and partners configure: webhooks and calendars. */
import { Schema } from "effect"

/** The service may not call this address. */
export class AddressRefused extends Schema.TaggedError<AddressRefused>()("AddressRefused", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}
