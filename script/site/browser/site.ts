/** The scripts of the documentation: the search, and the forms that send requests. */
import { search } from "./search.ts"
import { tryIt } from "./tryIt.ts"

const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  const folded = target?.closest("details")
  if (folded) folded.open = true
}

search()
tryIt()
addEventListener("hashchange", openTarget)
openTarget()
