// A table. Its first column stays in view while the others scroll. In narrow windows each row becomes a card: heading
// and mark, then texts, then the rest. That layout removes the native table roles, so they are set again.
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */
import type { Key, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import './table.css'

export type Column<T> = {
  title: string
  cell: (row: T) => ReactNode
  /** Where the cell is on a card. In 'rest', each cell shows its column's title unless `isPlain`. */
  place?: 'head' | 'mark' | 'words' | 'rest'
  isPlain?: boolean
  isNumber?: boolean
  /** A width class, for the table only. */
  width?: string
  /** The column's title becomes a button that sorts the rows, largest first. */
  sort?: { isOn: boolean; run: () => void }
}

type TableProps<T> = {
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => Key
  /** Called for a press anywhere on a row. `name` labels the row's button. */
  open?: { run: (row: T) => void; name: (row: T) => string }
  /** True for the row whose details are open beside the table. */
  current?: (row: T) => boolean
  /** True for a row that sums up others. */
  isGroup?: (row: T) => boolean
}

export function Table<T>({ label, columns, rows, keyOf, open, current, isGroup }: TableProps<T>) {
  return (
    // A wide table scrolls. If no row can have the focus, the table can, so that keys scroll it.
    <div
      className="relative overflow-x-auto"
      {...(!open && { tabIndex: 0, role: 'group', 'aria-label': label })}
    >
      <table
        role="table"
        aria-label={label}
        className={classNames(
          'data-table w-full border-collapse text-14 max-[40rem]:block',
          open && 'data-table-pressable',
        )}
      >
        <thead role="rowgroup" className="max-[40rem]:sr-only">
          <tr role="row">
            {columns.map(({ title, isNumber = false, width, sort }) => (
              <th
                key={title}
                role="columnheader"
                scope="col"
                aria-sort={sort?.isOn ? 'descending' : undefined}
                className={classNames(
                  'px-3 py-2.5 text-12 leading-snug font-medium text-text-3 first:pl-5 last:pr-5 lg:px-(--cell,20px) lg:first:pl-5 lg:last:pr-5',
                  isNumber ? 'text-right' : 'text-left whitespace-nowrap',
                  width,
                )}
              >
                {sort && (
                  <button
                    type="button"
                    onClick={sort.run}
                    className={classNames(
                      '-my-2 min-h-11 hover:text-text max-[40rem]:hidden lg:min-h-9',
                      isNumber ? 'text-right' : 'text-left',
                      sort.isOn && 'font-semibold text-text',
                    )}
                  >
                    {title}
                  </button>
                )}
                {/* On cards the title is hidden, but screen readers still read it with each value. */}
                <span className={sort && 'min-[40rem]:hidden'}>{title}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-[40rem]:block">
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              role="row"
              data-current={current?.(row) || undefined}
              data-group={isGroup?.(row) || undefined}
              className="relative max-[40rem]:flex max-[40rem]:flex-wrap max-[40rem]:items-center max-[40rem]:gap-x-3 max-[40rem]:gap-y-1 max-[40rem]:px-4 max-[40rem]:py-3.5 max-[40rem]:shadow-topbar max-[40rem]:last:shadow-none"
            >
              {columns.map((column, index) => (
                <Cell key={column.title} column={column}>
                  {column.cell(row)}
                  {/* Not in the first cell, which stays in view and would limit the button's area to itself. */}
                  {open && index === Math.min(1, columns.length - 1) && (
                    <button
                      type="button"
                      aria-label={open.name(row)}
                      aria-current={current?.(row) || undefined}
                      onClick={() => open.run(row)}
                      className="absolute inset-0 rounded-sm"
                    />
                  )}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const PLACE = {
  head: 'max-[40rem]:order-1 max-[40rem]:grow',
  mark: 'max-[40rem]:order-2',
  words: 'max-[40rem]:order-3 max-[40rem]:basis-full',
  rest: 'max-[40rem]:order-4 max-[40rem]:text-13 max-[40rem]:text-text-3',
}

function Cell<T>({ column, children }: { column: Column<T>; children: ReactNode }) {
  const { title, place = 'rest', isPlain = false, isNumber = false } = column
  return (
    <td
      role="cell"
      className={classNames(
        'h-12 px-3 first:pl-5 last:pr-5 max-[40rem]:h-auto max-[40rem]:p-0! lg:px-(--cell,20px) lg:first:pl-5 lg:last:pr-5',
        isNumber && 'text-right tabular-nums max-[40rem]:text-left',
        PLACE[place],
      )}
    >
      {place === 'rest' && !isPlain && (
        <span aria-hidden className="hidden max-[40rem]:inline">
          {title}:{' '}
        </span>
      )}
      {children}
    </td>
  )
}
