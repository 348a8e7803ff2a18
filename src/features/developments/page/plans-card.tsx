// 'Plantas e preços': a table in which the user types, pastes cells of a spreadsheet, and orders rows.
import { TriangleAlert } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { filesQuery } from '#data/development-files.ts'
import { type PlanTexts, readDay } from '#domain/development/edit.ts'
import { PLAN_SHEET } from '#domain/development/paste.ts'
import { shortDay } from '#domain/development/price-words.ts'
import { Card } from '#ui/primitives/card.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { SheetActions } from './sheet-actions.tsx'
import { Order } from './order.tsx'
import { PlanDialog } from './plan-dialog.tsx'
import { PlanHeads, PlanRow } from './plan-rows.tsx'
import type { DevelopmentDraft } from './use-development-draft.ts'
import { useSheet } from './use-sheet.ts'

const TITLE = 'Plantas e preços'

type PlansCardProps = { draft: DevelopmentDraft; today: string; pricedOn: string | null; isOff: boolean }

export function PlansCard({ draft, today, pricedOn, isOff }: PlansCardProps) {
  const { plans } = draft.edit
  const { body, add, pasteAll, onKey, onPaste } = useSheet(PLAN_SHEET, {
    rows: plans,
    onRows: (rows) => draft.change({ plans: rows }),
  })
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
      action={<SheetActions row="Planta" isOff={isOff} onPaste={pasteAll} onAdd={add} />}
    >
      {plans.length === 0 ? (
        <p className="px-5 pb-5 text-14 text-text-2">Nenhuma planta ainda.</p>
      ) : (
        <Order rows={plans} keyOf={({ key }) => key} onOrder={(ordered) => draft.change({ plans: ordered })}>
          {/* `relative` keeps the labels for screen readers inside the table; otherwise they would widen the page. */}
          <div className="relative overflow-x-auto pb-2">
            <table aria-label={TITLE} className="w-full border-collapse text-14">
              <PlanHeads />
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
