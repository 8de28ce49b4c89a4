/**
 * The commands of the guides that go on where docs/installing.md ends, with what happens in between and what must hold afterwards. They run
 * in the same shell as those of docs/installing.md, whose variables and `ask` they use.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { ROOT } from "../../src/paths.ts"

/** The commands of a guide; of one section of it, if its title is given. */
export const textOf = (guide: string, title = "") => {
  const markdown = readFileSync(join(ROOT, `docs/${guide}.md`), "utf8")
  const at = title === "" ? 0 : markdown.indexOf(`\n## ${title}\n`)
  if (at < 0) throw new Error(`docs/${guide}.md has no section ${title}`)
  const end = title === "" ? -1 : markdown.indexOf("\n## ", at + 1)
  const section = markdown.slice(at, end < 0 ? undefined : end)
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text).join("\n")
}

const bookAgain = textOf("installing", "The first appointment")

const helpers = `
row() { runuser -u postgres -- psql --tuples-only --no-align --set ON_ERROR_STOP=1 --command "$1" \${2:-sprechstunde}; }
must() { [ "$1" = "$2" ] || { echo "$3: $1, not $2"; exit 1; }; }
`

const restore = textOf("restoring", "Restore")
const MOMENT = "MOMENT=2026-03-01T09:59:00Z\n"
if (!restore.includes(MOMENT)) throw new Error("docs/restoring.md names no moment")

/** After the preparation: a moment, then an erasure that the restore to that moment must keep, and a mistake that it must undo. */
const restoring = `
${helpers}
${textOf("restoring", "Preparation")}
APPOINTMENT=$(row "SELECT uid FROM appointments WHERE status = 'confirmed'")
PATIENT=$(row "SELECT uid FROM patients")
ORGANISATION=$(of_practice organisation_uid)
TRUE_MOMENT=$(date --utc +%Y-%m-%dT%H:%M:%S.%3NZ)
sleep 1 # the list has whole seconds
sprechstunde app patients erase --organisation "$ORGANISATION" "$PATIENT" --reason "The patient asked for it" > /dev/null
row "CREATE TABLE made_by_mistake ()"
if sprechstunde app restore --repository /srv/backups --data "$PGDATA" --to "$TRUE_MOMENT" 2> refused.txt; then
  echo "a restore with a list from before the moment was not refused"; exit 1
fi
grep --quiet "was written before the moment" refused.txt
sprechstunde app patients erasures > /srv/backups/erasures.ndjson
touch --date 2020-01-01 /srv/backups/erasures.ndjson # as a copy might
${restore.replace(MOMENT, 'MOMENT="$TRUE_MOMENT"\n')}
must "$(row "SELECT uid FROM appointments WHERE uid = '$APPOINTMENT'")" "$APPOINTMENT" "the appointment from before the moment"
must "$(row "SELECT to_regclass('made_by_mistake') IS NULL")" t "the mistake is undone"
must "$(row "SELECT erased_at IS NOT NULL FROM patients WHERE uid = '$PATIENT'")" t "the patient is erased"
curl --silent --show-error --fail --retry 30 --retry-delay 1 --retry-all-errors http://127.0.0.1:8082/readyz
${bookAgain}
`

const scaling = `
${helpers}
${textOf("scaling", "2. Replicas")}
must "$(row "SELECT count(DISTINCT application_name) > 0 FROM pg_stat_activity WHERE usename = 'sprechstunde_http'")" t "connections through PgBouncer"
${textOf("scaling", "3. A larger database, standbys, read replicas")}
${bookAgain}
must "$(row "SELECT pg_is_in_recovery()" "postgresql://:5433/sprechstunde?host=/var/run/postgresql")" t "the standby"
for COUNT in 1 2 3 4 5 6; do
  ask POST /v1/scheduling/slots/search '{"shop_uid": "'"$SHOP"'", '"$RANGE"'}' > /dev/null
done
must "$(row "SELECT count(*) > 0 FROM pg_stat_activity WHERE usename = 'sprechstunde_http'" "postgresql://:5433/sprechstunde?host=/var/run/postgresql")" t "reads on the standby"
must "$(row "SELECT count(*) > 2 FROM pg_inherits WHERE inhparent = 'events'::regclass")" t "events by month"
must "$(ask GET /v1/management/events?limit=1 '' | jq '.data | length')" 1 "a page of events"
for PORT in 8081 8082 8083; do grep --quiet "$PORT" /etc/nginx/conf.d/sprechstunde-replicas.conf; done
`

const upgrading = textOf("operating", "Upgrading on systemd")
const MIGRATE = "\nsystemctl restart sprechstunde-migrate\n"
if (!upgrading.includes(MIGRATE)) throw new Error("docs/operating.md does not migrate")

/** An upgrade under load, in which no request may fail; then a boot in which PostgreSQL comes 15 seconds late. */
const upgradingOnSystemd = `
${helpers}
must "$(curl --silent --output /dev/null --write-out '%{http_code} %{redirect_url}' "http://$NAME/healthz")" "308 https://$NAME/healthz" "port 80"
# some two a second: there are 240 times
load() ( until [ -e "$HOME/load-ends" ]; do "$1" > /dev/null; echo "$1" >> "$HOME/load"; sleep 0.4; done )
book() {
${bookAgain}
}
search() { ask POST /v1/scheduling/slots/search '{"shop_uid": "'"$SHOP"'", '"$RANGE"'}'; }
load book & BOOKING=$!
load search & SEARCHING=$!
mains() { cat /run/sprechstunde@8081.main /run/sprechstunde@8082.main /run/sprechstunde-worker@1.main | paste -sd ' '; }
${upgrading.replace(MIGRATE, `\nBEFORE=$(mains)${MIGRATE}must "$(mains)" "$BEFORE" "the processes during the migration"\n`)}
touch "$HOME/load-ends"
wait "$BOOKING" || { echo "a booking failed during the upgrade"; exit 1; }
wait "$SEARCHING" || { echo "a search failed during the upgrade"; exit 1; }
sort "$HOME/load" | uniq --count
for COUNT in book search; do grep --quiet "$COUNT" "$HOME/load"; done
for PORT in 8081 8082 1901; do must "$(readlink "/proc/$(cat /run/sprechstunde*@\${PORT#190}.main)/cwd")" "$NEXT" "the release on $PORT"; done

systemctl stop sprechstunde@8081 sprechstunde@8082 sprechstunde-worker@1 sprechstunde-migrate
systemctl stop postgresql
systemctl boot > /dev/null 2>&1 &
sleep 15
systemctl start postgresql
for PORT in 8081 8082 1901; do
  curl --silent --show-error --fail --retry 60 --retry-delay 1 --retry-all-errors "http://127.0.0.1:$PORT/readyz"
done
${bookAgain}
`

export const further: Readonly<Record<string, string>> = { restoring, scaling, upgrading: upgradingOnSystemd }
