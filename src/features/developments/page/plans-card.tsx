// 'Plantas e preços': a table that is typed into, pasted into from a sheet, and ordered. Enter goes a row down.
import { ClipboardPaste, EllipsisVertical, GripVertical, Plus, TriangleAlert } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react'
import { filesQuery } from '#data/development-files.ts'
import { newOperationId } from '#data/operation.ts'
import { CELLS, type Cell, type PlanTexts, readDay } from '#domain/development/edit.ts'
import { dayText, shortDay } from '#domain/development/price-words.ts'
import { cellsOf, pasteInto } from '#domain/development/paste.ts'
import { announce, toast } from '#ui/feedback/toast.ts'
import { classNames } from '#ui/primitives/class-names.ts'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { Card } from '#ui/primitives/card.tsx'
import { Picture } from '../picture.tsx'
import { Order, stepByKey, useOrdered } from './order.tsx'
import { PlanDialog } from './plan-dialog.tsx'
import type { DevelopmentDraft } from './use-development-draft.ts'

const TITLE = 'Plantas e preços'
const HEAD: Record<Cell, { title: string; placeholder: string; look: string }> = {
  name: { title: 'Planta', placeholder: '2 quartos', look: 'w-full min-w-36' },
  area: { title: 'Área', placeholder: '62 m²', look: 'w-24 text-right' },
  price: { title: 'A partir de', placeholder: 'R$ 412.000', look: 'w-32 text-right' },
  validUntil: { title: 'Vale até', placeholder: '30/11/2026', look: 'w-30 text-right' },
  unitsLeft: { title: 'Unidades', placeholder: '–', look: 'w-20 text-right' },
}
const CANNOT_PASTE = 'O navegador não deixou ler o que foi copiado. Clique numa célula e cole com Ctrl+V.'

type PlansCardProps = { draft: DevelopmentDraft; today: string; pricedOn: string | null; isOff: boolean }

export function PlansCard({ draft, today, pricedOn, isOff }: PlansCardProps) {
  const { plans } = draft.edit
  const { body, add, pasteAll, onKey, onPaste } = usePlanTable(draft)
  const { data: drawings = {} } = useQuery(
    filesQuery(
      plans.flatMap(({ drawingId }) => drawingId ?? []),
      true,
    ),
  )
  const [openKey, setOpenKey] = useState<string | null>(null)
  const tableOf = pricedOn === null ? '' : `tabela de ${shortDay(pricedOn)} · `
  return (
    <Card
      title={TITLE}
      note={`${tableOf}Enter passa à linha de baixo`}
      action={
        <>
          <Button variant="line" size="small" icon={ClipboardPaste} disabled={isOff} onClick={pasteAll}>
            Colar da planilha
          </Button>
          <Button variant="soft" size="small" icon={Plus} disabled={isOff} onClick={add}>
            Planta
          </Button>
        </>
      }
    >
      {plans.length === 0 ? (
        <p className="px-5 pb-5 text-14 text-text-2">Nenhuma planta ainda.</p>
      ) : (
        <Order rows={plans} keyOf={({ key }) => key} onOrder={(ordered) => draft.change({ plans: ordered })}>
          {/* Contains its hidden labels, which would widen the page. */}
          <div className="relative overflow-x-auto pb-2">
            <table aria-label={TITLE} className="w-full border-collapse text-14">
              <Heads />
              <tbody ref={body}>
                {plans.map((plan, row) => (
                  <PlanRow
                    key={plan.key}
                    plan={plan}
                    drawing={drawings[plan.drawingId ?? 0]}
                    row={row}
                    draft={draft}
                    today={today}
                    isOff={isOff}
                    onKey={onKey}
                    onPaste={onPaste}
                    onOpen={() => setOpenKey(plan.key)}
                  />
                ))}
              </tbody>
            </table>
          </div>
        </Order>
      )}
      <ExpiredPrices plans={plans} today={today} />
      <PlanDialog
        plan={plans.find(({ key }) => key === openKey) ?? null}
        draft={draft}
        isOff={isOff}
        onClose={() => setOpenKey(null)}
      />
    </Card>
  )
}

type Place = { row: number; cell: Cell }

/** Typing down a column, and pasting cells of a sheet. */
function usePlanTable(draft: DevelopmentDraft) {
  const { plans } = draft.edit
  const body = useRef<HTMLTableSectionElement>(null)
  // A new row is drawn first.
  const goTo = ({ row, cell }: Place) =>
    requestAnimationFrame(() =>
      body.current?.querySelector<HTMLInputElement>(`[data-cell="${row}.${cell}"]`)?.focus(),
    )
  const paste = (place: Place, text: string) => {
    draft.change({ plans: pasteInto(plans, { ...place, text }, newOperationId) })
    announce('Colado da planilha.')
  }
  return {
    body,
    add: () => {
      draft.addPlan()
      goTo({ row: plans.length, cell: 'name' })
    },
    pasteAll: () =>
      void navigator.clipboard.readText().then(
        (text) => text.trim() !== '' && paste({ row: plans.length, cell: 'name' }, text),
        () => toast(CANNOT_PASTE, 'error'),
      ),
    onKey: (event: KeyboardEvent, { row, cell }: Place) => {
      if (event.key !== 'Enter') return
      event.preventDefault()
      if (row === plans.length - 1) draft.addPlan()
      goTo({ row: row + 1, cell })
    },
    onPaste: (event: ClipboardEvent, place: Place) => {
      const text = event.clipboardData.getData('text/plain')
      const cells = cellsOf(text)
      if (cells.length === 1 && cells[0]?.length === 1) return
      event.preventDefault()
      paste(place, text)
    },
  }
}

const Heads = () => (
  <thead>
    <tr>
      <th className="w-11">
        <span className="sr-only">Ordem</span>
      </th>
      <th className="w-11">
        <span className="sr-only">Desenho</span>
      </th>
      {CELLS.map((cell) => (
        <th
          key={cell}
          scope="col"
          className={classNames(
            'px-1.5 pb-1.5 text-12 font-medium text-text-3',
            cell === 'name' ? 'text-left' : 'text-right',
          )}
        >
          {HEAD[cell].title}
        </th>
      ))}
      <th className="w-11">
        <span className="sr-only">Mais</span>
      </th>
    </tr>
  </thead>
)

function ExpiredPrices({ plans, today }: { plans: readonly PlanTexts[]; today: string }) {
  const expired = plans.flatMap(({ name, validUntil }) => {
    const day = readDay(validUntil)
    return day !== null && day < today ? [`${name || 'Uma planta'} venceu em ${shortDay(day)}`] : []
  })
  if (expired.length === 0) return null
  return (
    <p className="flex items-center gap-2 px-5 py-3 text-14 text-warning border-t border-border">
      <Icon of={TriangleAlert} size={18} />
      {expired.join('; ')}: o agente não fala esse preço e o corretor vê o aviso.
    </p>
  )
}

type PlanRowProps = {
  plan: PlanTexts
  /** The address of its small drawing. */
  drawing: string | undefined
  row: number
  draft: DevelopmentDraft
  today: string
  isOff: boolean
  onKey: (event: KeyboardEvent, at: Place) => void
  onPaste: (event: ClipboardEvent, at: Place) => void
  onOpen: () => void
}

function PlanRow({ plan, drawing, row, draft, today, isOff, onKey, onPaste, onOpen }: PlanRowProps) {
  const { ref, style, listeners, isAimedAt } = useOrdered(plan.key, isOff)
  const name = plan.name || `Linha ${row + 1}`
  const faultOf = (cell: Cell) => draft.faults.get(`${plan.key}.${cell}`)
  const isExpired = (readDay(plan.validUntil) ?? today) < today
  const tidy = () => {
    const day = readDay(plan.validUntil)
    if (day !== null && dayText(day) !== plan.validUntil)
      draft.changePlan(plan.key, { validUntil: dayText(day) })
  }
  return (
    <tr
      ref={ref}
      style={style}
      className={classNames('bg-surface border-t border-border', isAimedAt && 'bg-primary-soft!')}
    >
      <td className="pl-2" {...listeners}>
        <IconButton
          icon={GripVertical}
          label={`Ordenar ${name}: setas para cima e para baixo`}
          variant="quietSmall"
          disabled={isOff}
          onKeyDown={(event) =>
            stepByKey(event, {
              rows: draft.edit.plans,
              at: row,
              nameOf: (one) => one.name || 'Planta',
              onOrder: (plans) => draft.change({ plans }),
            })
          }
        />
      </td>
      <td className="py-1.5 pl-1">
        <Picture url={drawing} className="h-8 w-11 shadow-line [img&]:bg-white" />
      </td>
      {CELLS.map((cell) => {
        const fault = faultOf(cell)
        const id = `${plan.key}.${cell}`
        return (
          <td key={cell} className="px-1.5 py-1.5 align-top">
            <input
              data-cell={`${row}.${cell}`}
              aria-label={`${HEAD[cell].title}, ${name}`}
              aria-invalid={fault !== undefined}
              aria-describedby={fault === undefined ? undefined : id}
              value={plan[cell]}
              placeholder={HEAD[cell].placeholder}
              readOnly={isOff}
              autoComplete="off"
              inputMode={cell === 'unitsLeft' ? 'numeric' : undefined}
              maxLength={80}
              onChange={({ target }) => draft.changePlan(plan.key, { [cell]: target.value })}
              onBlur={cell === 'validUntil' ? tidy : undefined}
              onKeyDown={(event) => onKey(event, { row, cell })}
              onPaste={(event) => onPaste(event, { row, cell })}
              className={classNames(
                'min-h-9 rounded-ctl bg-surface px-2.5 tabular-nums shadow-line outline-none focus-visible:shadow-input-focus pointer-coarse:min-h-11',
                HEAD[cell].look,
                fault !== undefined && 'shadow-input-error',
                cell === 'validUntil' && isExpired && 'text-warning',
              )}
            />
            {fault !== undefined && (
              <span id={id} role="alert" className="block pt-1 text-12 text-danger">
                {fault}
              </span>
            )}
          </td>
        )
      })}
      <td className="pr-2">
        <IconButton icon={EllipsisVertical} label={`Mais de ${name}`} variant="quietSmall" onClick={onOpen} />
      </td>
    </tr>
  )
}
