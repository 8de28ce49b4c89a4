/** The zone in which it is now this hour. */
export const zoneAt = (hour: number) => {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12
  return `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`
}
