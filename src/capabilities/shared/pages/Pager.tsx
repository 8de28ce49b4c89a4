import { useAddress, useTexts } from "./Desk.tsx"

/** Links to the previous and next page; nothing for a single page. */
export const Pager = ({ page, pages }: { readonly page: number; readonly pages: number }) => {
  const address = useAddress()
  const { frame } = useTexts()
  if (pages < 2) return null
  return (
    <p class="actions">
      {page > 0 ? (
        <a class="quiet" href={address({ page: page - 1 })}>
          {frame.earlier}
        </a>
      ) : null}
      <span>{`${page + 1} / ${pages}`}</span>
      {page + 1 < pages ? (
        <a class="quiet" href={address({ page: page + 1 })}>
          {frame.later}
        </a>
      ) : null}
    </p>
  )
}
