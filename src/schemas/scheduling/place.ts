/** Where an appointment takes place, for pages, mails and calendar files. */
import { Schema } from "effect"

/** A room that an appointment takes. */
export const Room = Schema.Struct({ name: Schema.String, site: Schema.NullOr(Schema.String) })
export type Room = typeof Room.Type

/** The rooms with their sites, a room without one at the practice's address; without rooms the address alone. */
export const placeIn = (rooms: ReadonlyArray<Room>, address: string | null): string | null => {
  if (rooms.length === 0) return address
  const written = ({ name, site }: Room) => [name, site ?? address].filter((part) => part !== null).join(", ")
  return rooms.map(written).join("; ")
}
