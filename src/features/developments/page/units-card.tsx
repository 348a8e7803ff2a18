// 'Unidades': a table of what is for sale, unit by unit, in which the user types or pastes cells of a spreadsheet.
import { ChevronLeft, ChevronRight, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { UnitState } from '#domain/development/development.ts'
import { UNIT_SHEET } from '#domain/development/paste.ts'
import {
  countWords,
  readUnitState,
  UNIT_CELLS,
  UNIT_STATE_LABEL,
  type UnitCell,
  type UnitTexts,
} from '#domain/development/units.ts'
import { formatNumber } from '#domain/count.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { Card } from '#ui/primitives/card.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { SheetActions } from './sheet-actions.tsx'
import { SheetCell } from './sheet-cell.tsx'
import type { DevelopmentDraft } from './use-development-draft.ts'
import { useSheet } from './use-sheet.ts'

const TITLE = 'Unidades'
/** More rows at once would make typing slow. */
const PAGE_ROWS = 50

const HEAD: Record<UnitCell, { title: string; placeholder?: string; look: string }> = {
  code: { title: 'Unidade', placeholder: '101', look: 'w-full min-w-24' },
  tower: { title: 'Torre', placeholder: '–', look: 'w-24' },
  floor: { title: 'Andar', placeholder: '–', look: 'w-20' },
  area: { title: 'Área', placeholder: '62 m²', look: 'w-24 text-right' },
  price: { title: 'Preço', placeholder: 'R$ 412.000', look: 'w-32 text-right' },
  state: { title: 'Situação', look: 'w-32 rounded-full! font-medium' },
}
const STATE_OPTIONS = Object.values(UNIT_STATE_LABEL)
const TONE = { disponivel: 'success', reservado: 'warning', vendido: 'neutral' } as const
const STATE_LOOK: Record<UnitState, string> = {
  disponivel: 'bg-success-soft text-on-success-soft',
  reservado: 'bg-warning-soft text-on-warning-soft',
  vendido: 'bg-surface-2 text-text-2',
}

export function UnitsCard({ draft, isOff }: { draft: DevelopmentDraft; isOff: boolean }) {
  const { units } = draft.edit
  const [page, setPage] = useState(0)
  const pages = Math.max(1, Math.ceil(units.length / PAGE_ROWS))
  const from = Math.min(page, pages - 1) * PAGE_ROWS
  const { body, goTo, add, pasteAll, onKey, onPaste } = useSheet(UNIT_SHEET, {
    rows: units,
    onRows: (rows) => draft.change({ units: rows }),
    onRow: (row) => setPage(Math.floor(row / PAGE_ROWS)),
  })
  const remove = (row: number) => {
    draft.change({ units: units.toSpliced(row, 1) })
    if (units.length > 1) goTo({ row: Math.min(row, units.length - 2), cell: 'code' })
  }
  const rowProps = { draft, isOff, onKey, onPaste, onRemove: remove }
  return (
    <Card
      title={TITLE}
      note={
        <span className="flex flex-wrap gap-1.5">
          {countWords(units).map(({ state, words }) => (
            <Badge key={state} tone={TONE[state]}>
              {words}
            </Badge>
          ))}
        </span>
      }
      action={<SheetActions row="Unidade" isOff={isOff} onPaste={pasteAll} onAdd={add} />}
    >
      {units.length === 0 ? (
        <p className="px-5 pb-5 text-14 text-text-2">
          Opcional: cada apartamento, casa ou lote, com preço e situação.
        </p>
      ) : (
        // `relative` keeps the labels for screen readers inside the table; otherwise they would widen the page.
        <div className="relative overflow-x-auto pb-2">
          <table
            aria-label={TITLE}
            aria-rowcount={units.length + 1}
            className="w-full border-collapse text-14"
          >
            <UnitHeads />
            <tbody ref={body}>
              {units.slice(from, from + PAGE_ROWS).map((unit, index) => (
                <UnitRow key={unit.key} unit={unit} row={from + index} {...rowProps} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Faults draft={draft} onShow={goTo} />
      <Pages page={from / PAGE_ROWS} pages={pages} rows={units.length} onPage={setPage} />
    </Card>
  )
}

const UnitHeads = () => (
  <thead>
    <tr>
      {UNIT_CELLS.map((cell) => (
        <th
          key={cell}
          scope="col"
          className={classNames(
            'px-1.5 pb-1.5 text-12 font-medium text-text-3 first:pl-5',
            cell === 'area' || cell === 'price' ? 'text-right' : 'text-left',
          )}
        >
          {HEAD[cell].title}
        </th>
      ))}
      <th className="w-11">
        <span className="sr-only">Tirar</span>
      </th>
    </tr>
  </thead>
)

type Sheet = ReturnType<typeof useSheet<UnitTexts, UnitCell>>
type UnitRowProps = Pick<Sheet, 'onKey' | 'onPaste'> & {
  unit: UnitTexts
  row: number
  draft: DevelopmentDraft
  isOff: boolean
  onRemove: (row: number) => void
}

function UnitRow({ unit, row, draft, isOff, onKey, onPaste, onRemove }: UnitRowProps) {
  const name = [unit.tower, unit.code].filter(Boolean).join(' ') || `Linha ${row + 1}`
  const state = readUnitState(unit.state)
  return (
    <tr aria-rowindex={row + 2} className="border-t border-border bg-surface">
      {UNIT_CELLS.map((cell) => (
        <td
          key={cell}
          className={classNames('px-1.5 py-1.5 align-top first:pl-3.5', cell !== 'code' && 'w-px')}
        >
          <SheetCell
            id={`${unit.key}.${cell}`}
            place={{ row, cell }}
            label={`${HEAD[cell].title}, ${name}`}
            value={cell === 'state' && state !== null ? UNIT_STATE_LABEL[state] : unit[cell]}
            fault={draft.faults.get(`${unit.key}.${cell}`)}
            isOff={isOff}
            placeholder={HEAD[cell].placeholder}
            onValue={(value) => draft.changeUnit(unit.key, { [cell]: value })}
            onKey={onKey}
            onPaste={onPaste}
            {...(cell === 'state' && { options: STATE_OPTIONS })}
            className={classNames(HEAD[cell].look, cell === 'state' && STATE_LOOK[state ?? 'vendido'])}
          />
        </td>
      ))}
      <td className="pr-2">
        <IconButton
          icon={Trash2}
          label={`Tirar ${name}`}
          variant="quietSmall"
          disabled={isOff}
          onClick={() => onRemove(row)}
        />
      </td>
    </tr>
  )
}

type PagesProps = { page: number; pages: number; rows: number; onPage: (page: number) => void }

function Pages({ page, pages, rows, onPage }: PagesProps) {
  if (pages === 1) return null
  const last = Math.min((page + 1) * PAGE_ROWS, rows)
  return (
    <nav
      aria-label="Páginas das unidades"
      className="flex items-center gap-2 border-t border-border px-3 py-1"
    >
      <IconButton
        icon={ChevronLeft}
        label="Unidades anteriores"
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
      />
      <p aria-live="polite" className="text-14 text-text-2">
        {page * PAGE_ROWS + 1} a {last} de {formatNumber(rows)}
      </p>
      <IconButton
        icon={ChevronRight}
        label="Próximas unidades"
        disabled={page === pages - 1}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  )
}

/** Leads to the first cell with a fault, which can be on another page of the table. */
function Faults({ draft, onShow }: { draft: DevelopmentDraft; onShow: Sheet['goTo'] }) {
  const all = draft.edit.units.flatMap(({ key }, row) =>
    UNIT_CELLS.filter((cell) => draft.faults.has(`${key}.${cell}`)).map((cell) => ({ row, cell })),
  )
  const [first] = all
  const tooMany = draft.faults.get('units')
  if (!first && tooMany === undefined) return null
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-border px-5 py-2 text-14 text-danger">
      {tooMany !== undefined && <p role="alert">{tooMany}</p>}
      {first && (
        <>
          <p>{all.length === 1 ? 'Uma célula com erro.' : `${all.length} células com erro.`}</p>
          <Button variant="line" size="small" onClick={() => onShow(first)}>
            Ver a primeira
          </Button>
        </>
      )}
    </div>
  )
}
