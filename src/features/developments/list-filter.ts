// Decides which developments the list shows, by the filter in the address.
import { STATES, type DevelopmentState, priceOf, type Price } from '#domain/development/development.ts'
import { foldText } from '#domain/search.ts'
import type { DevelopmentRow } from './data.ts'

export type ListFilter = {
  estado?: DevelopmentState | undefined
  preco?: 'vencido' | undefined
  bairro?: string | undefined
  arquivados?: true | undefined
  /** Undefined: sorted by name. */
  ordem?: Order | undefined
}

const ORDERS = ['preco', 'plantas', 'unidades', 'leads'] as const
export type Order = (typeof ORDERS)[number]

export function readFilter(search: Record<string, unknown>): ListFilter {
  const { estado, preco, bairro, arquivados, ordem } = search
  return {
    estado: STATES.find((state) => state === estado),
    preco: preco === 'vencido' ? preco : undefined,
    bairro: typeof bairro === 'string' && bairro !== '' ? bairro : undefined,
    arquivados: arquivados === true ? true : undefined,
    ordem: ORDERS.find((order) => order === ordem),
  }
}

export type Shown = DevelopmentRow & { price: Price | null }

export const withPrice = (rows: readonly DevelopmentRow[], today: string): Shown[] =>
  rows.map((row) => ({ ...row, price: priceOf(row, today) }))

const isArchived = ({ archivedAt }: DevelopmentRow) => archivedAt !== null
const isExpired = ({ price }: Shown) => price?.isExpired === true

export function filterRows(
  rows: readonly Shown[],
  { estado, preco, bairro, arquivados }: ListFilter,
  words: string,
) {
  const wanted = foldText(words).trim()
  return rows.filter(
    (row) =>
      isArchived(row) === (arquivados === true) &&
      (estado === undefined || row.state === estado) &&
      (preco === undefined || isExpired(row)) &&
      (bairro === undefined || row.district === bairro) &&
      foldText([row.name, row.district, row.rotation].filter(Boolean).join(' ')).includes(wanted),
  )
}

const SIZE: Record<Order, (row: Shown) => number> = {
  preco: ({ price }) => price?.cents ?? -1,
  plantas: ({ plans }) => plans.length,
  unidades: ({ unitsAvailable }) => unitsAvailable ?? -1,
  leads: ({ openLeads }) => openLeads,
}

/** The largest first; equal ones stay in the order of their names. */
export const ordered = (rows: readonly Shown[], order: Order | undefined): readonly Shown[] =>
  order === undefined ? rows : rows.toSorted((a, b) => SIZE[order](b) - SIZE[order](a))

/** Counts the developments for the line above the list. Archived ones do not count. */
export function summarize(rows: readonly Shown[]) {
  const active = rows.filter((row) => !isArchived(row))
  return {
    active: active.length,
    archived: rows.length - active.length,
    openLeads: active.reduce((sum, { openLeads }) => sum + openLeads, 0),
    expired: active.filter(isExpired).length,
    byState: new Map(STATES.map((state) => [state, active.filter((row) => row.state === state).length])),
    districts: [...new Set(active.flatMap(({ district }) => district ?? []))].toSorted((a, b) =>
      a.localeCompare(b, 'pt-BR'),
    ),
  }
}
