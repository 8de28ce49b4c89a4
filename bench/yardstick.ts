/**
 * What the slot engine is measured against: the least a program could do that must write this response for this workload.
 * It knows the week, the zone's offsets, the duration and the buffer beforehand, knows that all doctors share one grid
 * (so that walking the grid gives the order, without sorting), and has neither overrides, scopes, validity, notice nor
 * gaps to look after. It computes nothing but which starts are free, and the text.
 */
import type { DoctorCalendar } from "../src/services/scheduling/slots/calendar.ts"
import { BUFFER_MINUTES, DAYS, FROM, offsetOf, TYPE, WINDOWS, ZONE } from "./workload.ts"

const DURATION = TYPE.duration_minutes * 60
const BUFFER = BUFFER_MINUTES * 60

const two = (n: number) => (n < 10 ? `0${n}` : `${n}`)

export const yardstick = (doctors: ReadonlyArray<DoctorCalendar>): string => {
  const heads = doctors.map(
    (one) => `{"doctor_uid":${JSON.stringify(one.doctor_uid)},"doctor_name":${JSON.stringify(one.doctor_name)},`
  )
  const next = new Uint32Array(doctors.length)
  let text = ""
  for (let midnight = FROM; midnight < FROM + DAYS * 86_400; midnight += 86_400) {
    if ((midnight / 86_400 + 3) % 7 > 4) continue
    const offset = offsetOf(midnight)
    const iso = new Date(midnight * 1000).toISOString().slice(0, 10)
    const zone = `+${two(offset / 3600)}:00`
    const local = (instant: number) => {
      const minute = (instant + offset - midnight) / 60
      return `${iso}T${two(Math.floor(minute / 60))}:${two(minute % 60)}:00${zone}`
    }
    for (const window of WINDOWS) {
      const close = midnight - offset + window.end_time * 60
      for (
        let start = midnight - offset + window.start_time * 60;
        start + DURATION <= close;
        start += DURATION + BUFFER
      ) {
        const end = start + DURATION
        const tail = `"start_date":${start},"end_date":${end},"timezone":"${ZONE}","start_local":"${local(start)}","end_local":"${local(end)}"}`
        for (let d = 0; d < doctors.length; d++) {
          const { starts, ends } = (doctors[d] as DoctorCalendar).busy
          let n = next[d] as number
          while (n < ends.length && (ends[n] as number) <= start - BUFFER) n++
          next[d] = n
          if (n < starts.length && (starts[n] as number) < end + BUFFER) continue
          text += (text === "" ? "" : ",") + heads[d] + tail
        }
      }
    }
  }
  return `{"slots":[${text}]}`
}
