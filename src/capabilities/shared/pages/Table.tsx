import { toChildArray } from "preact"
import { Scroll, type ScrollProps } from "./Scroll.tsx"

interface TableProps extends ScrollProps {
  readonly caption?: string
  /** The headings; `number` stands above figures, null above buttons. */
  readonly columns: ReadonlyArray<string | { readonly number: string } | null>
}

/** A table under its headings that may be wider than the page; without rows nothing. */
export const Table = ({ caption, columns, children, ...scroll }: TableProps) =>
  toChildArray(children).length === 0 ? null : (
    <Scroll {...scroll}>
      <table>
        {caption === undefined ? null : <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column) => {
              if (column === null) return <td key="" />
              if (typeof column === "string") return <th key={column}>{column}</th>
              return (
                <th key={column.number} class="number">
                  {column.number}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Scroll>
  )
