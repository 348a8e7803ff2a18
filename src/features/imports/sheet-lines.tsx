// The first lines of a sheet as in the file, with each column's meaning and the header line.
import { MousePointerClick } from 'lucide-react'
import { type KeyboardEvent, useId } from 'react'
import type { ColumnMap } from '#domain/lead/list/columns.ts'
import { COLUMN_KINDS, COLUMN_LABEL, type ColumnKind } from '#domain/lead/list/titles.ts'
import { classNames } from '#ui/primitives/class-names.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import type { LineMark, SheetHead } from './list-protocol.ts'
import { headerText } from './texts.ts'

type SheetLinesProps = {
  head: SheetHead
  map: ColumnMap
  /** The marks of this sheet's lines. */
  marks: readonly LineMark[]
  isDisabled: boolean
  onMap: (map: ColumnMap) => void
  onHeader: (header: number | null) => void
}

/** The preview shows this many columns of a wide sheet; the import reads all. */
const SHOWN_COLUMNS = 40

const MARK = { odd: 'bg-sun-soft text-on-sun-soft', bad: 'bg-danger-soft text-on-danger-soft' }
const CELL = 'h-9 max-w-64 min-w-28 truncate border-b border-l border-border px-2.5 text-left'
const NUMBER = 'sticky left-0 border-b border-border p-0 text-right text-13 font-medium tabular-nums'
const PLAIN_NUMBER = 'bg-surface-2 text-text-3'

export function SheetLines({ head, map, marks, isDisabled, onMap, onHeader }: SheetLinesProps) {
  const labelId = useId()
  const columns = shownColumns(head, map)
  const change = (column: number, kind: ColumnKind | null) =>
    onMap(map.map((one, n) => (n === column ? kind : one)))
  return (
    <section aria-labelledby={labelId}>
      <div className="flex flex-wrap items-center gap-x-3 bg-primary-soft px-5 py-2 text-14 text-on-primary-soft">
        <p id={labelId} className="flex min-w-60 grow basis-0 items-center gap-3">
          <Icon of={MousePointerClick} size={18} className="shrink-0" />
          {headerText(head)}
        </p>
        {head.header !== null && !head.isCards && (
          <button
            type="button"
            disabled={isDisabled}
            onClick={() => onHeader(null)}
            className="min-h-11 rounded-sm px-1 font-semibold underline-offset-2 hover:underline pointer-fine:min-h-7"
          >
            Não há cabeçalho
          </button>
        )}
      </div>
      <div className="relative overflow-x-auto">
        <table className="w-full border-separate border-spacing-0 text-14">
          <thead>
            <tr>
              <th scope="col" className={classNames(NUMBER, PLAIN_NUMBER, 'min-w-12')}>
                <span className="sr-only">Linha</span>
              </th>
              {columns.map((column) => (
                <th
                  key={column}
                  scope="col"
                  className="min-w-40 border-b border-l border-border p-1.5 text-left font-normal"
                >
                  <select
                    aria-label={`O que é a coluna ${head.titles[column]}`}
                    value={map[column] ?? ''}
                    disabled={isDisabled}
                    onChange={({ target }) =>
                      change(column, COLUMN_KINDS.find((kind) => kind === target.value) ?? null)
                    }
                    className={classNames(
                      'min-h-11 w-full truncate rounded-ctl bg-surface px-2 text-16 shadow-input outline-none focus-visible:shadow-input-focus pointer-fine:min-h-9 lg:text-14',
                      map[column] === null ? 'text-text-3' : 'font-medium text-text',
                    )}
                  >
                    <option value="">Não importar</option>
                    {COLUMN_KINDS.map((kind) => (
                      <option key={kind} value={kind}>
                        {COLUMN_LABEL[kind]}
                      </option>
                    ))}
                  </select>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {head.lines.map((cells, line) => (
              <Line
                // A line has no other identity than its number.
                key={line}
                cells={columns.map((column) => cells[column] ?? '')}
                kinds={columns.map((column) => map[column] ?? null)}
                line={line}
                isHeader={line === head.header}
                isAbove={head.header !== null && line < head.header}
                mark={marks.find((one) => one.line === line + 1)}
                onHeader={head.isCards || isDisabled ? undefined : () => onHeader(line)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** The indexes of the columns to show: the first ones, and all that are imported. */
function shownColumns(head: SheetHead, map: ColumnMap): number[] {
  const all = head.titles.map((_, n) => n)
  return all.length <= SHOWN_COLUMNS ? all : all.filter((n) => n < SHOWN_COLUMNS / 2 || map[n] !== null)
}

type LineProps = {
  cells: readonly string[]
  kinds: readonly (ColumnKind | null)[]
  line: number
  isHeader: boolean
  isAbove: boolean
  mark: LineMark | undefined
  onHeader: (() => void) | undefined
}

function Line({ cells, kinds, line, isHeader, isAbove, mark, onHeader }: LineProps) {
  const isMarked = (n: number) =>
    mark !== undefined && (kinds[n] === mark.at || (mark.at === 'phone' && kinds[n] === 'nameAndPhone'))
  return (
    // A press on the row chooses the header line; keyboards use the button in it.
    <tr
      onClick={onHeader}
      className={classNames(
        onHeader && 'cursor-pointer hover:bg-surface-2',
        isHeader && 'bg-primary-soft font-semibold text-on-primary-soft',
        isAbove && 'text-text-3',
      )}
    >
      <th
        scope="row"
        className={classNames(NUMBER, isHeader ? 'bg-primary-soft-2 text-on-primary-soft' : PLAIN_NUMBER)}
      >
        {onHeader ? (
          <button
            type="button"
            aria-pressed={isHeader}
            aria-label={`A linha ${line + 1} é o cabeçalho`}
            onClick={(event) => {
              event.stopPropagation()
              onHeader()
            }}
            onKeyDown={moveByArrows}
            className="min-h-9 w-full px-2.5 text-right pointer-coarse:min-h-11"
          >
            {line + 1}
          </button>
        ) : (
          <span className="px-2.5">{line + 1}</span>
        )}
      </th>
      {cells.map((cell, n) => (
        <td key={n} className={classNames(CELL, mark !== undefined && isMarked(n) && MARK[mark.mark])}>
          {cell}
        </td>
      ))}
    </tr>
  )
}

/** Moves the focus between the lines' buttons with the arrow keys. */
function moveByArrows(event: KeyboardEvent<HTMLButtonElement>) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  if (step === undefined) return
  const buttons = [...(event.currentTarget.closest('tbody')?.querySelectorAll('button') ?? [])]
  const next = buttons[buttons.indexOf(event.currentTarget) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
