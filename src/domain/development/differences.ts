// Says in words how two states of a development's form differ.
import { STATE_LABEL } from './development.ts'
import { CELLS, DETAILS, type DevelopmentEdit, type PlanTexts } from './edit.ts'
import { isSameUnits, unitsText } from './units.ts'

/** `what` names the field, `before` and `after` are its texts; '' where there is none. */
export type Difference = { what: string; before: string; after: string }

const LABEL = {
  name: 'Nome',
  district: 'Bairro',
  state: 'Estado',
  delivery: 'Entrega',
  builder: 'Incorporadora',
  city: 'Cidade',
  license: 'CRECI nas legendas',
  price: 'A partir de',
  validUntil: 'Vale até',
  description: 'Descrição',
  placeName: 'Nome do local',
  address: 'Endereço',
  point: 'Ponto no mapa',
}
const PLAN_LABEL = {
  name: 'nome',
  area: 'área',
  price: 'a partir de',
  validUntil: 'vale até',
  unitsLeft: 'unidades',
  bedrooms: 'quartos',
  suites: 'suítes',
  parking: 'vagas',
  areaTo: 'área até',
  priceTo: 'preço até',
}

export function differences(before: DevelopmentEdit, after: DevelopmentEdit): Difference[] {
  const fields = (Object.keys(LABEL) as (keyof typeof LABEL)[]).map((field) => ({
    what: LABEL[field],
    before: textOf(before, field),
    after: textOf(after, field),
  }))
  return [
    ...fields,
    ...planDifferences(before.plans, after.plans),
    unitsOf(before, after),
    filesOf(before, after),
  ].filter((difference) => difference.before !== difference.after)
}

function textOf(edit: DevelopmentEdit, field: keyof typeof LABEL): string {
  if (field === 'state') return edit.state && STATE_LABEL[edit.state]
  return edit[field].trim()
}

const nameOf = ({ name }: PlanTexts) => `Planta ${name.trim() || 'sem nome'}`

function planDifferences(before: readonly PlanTexts[], after: readonly PlanTexts[]): Difference[] {
  const was = new Map(before.map((plan) => [plan.key, plan]))
  const is = new Map(after.map((plan) => [plan.key, plan]))
  const order = (plans: readonly PlanTexts[]) =>
    plans
      .filter(({ key }) => was.has(key) && is.has(key))
      .map(({ key }) => is.get(key)?.name.trim())
      .join(', ')
  return [
    ...before
      .filter(({ key }) => !is.has(key))
      .map((plan) => ({ what: nameOf(plan), before: 'no cadastro', after: 'tirada' })),
    ...after.flatMap((plan) => {
      const old = was.get(plan.key)
      if (!old) return [{ what: nameOf(plan), before: '', after: 'nova' }]
      return [...CELLS, ...DETAILS].map((cell) => ({
        what: `${nameOf(old)}, ${PLAN_LABEL[cell]}`,
        before: old[cell].trim(),
        after: plan[cell].trim(),
      }))
    }),
    { what: 'Ordem das plantas', before: order(before), after: order(after) },
  ]
}

/** The counts by state, because a development can have 2,000 units. */
function unitsOf({ units: before }: DevelopmentEdit, { units: after }: DevelopmentEdit): Difference {
  const what = 'Unidades'
  if (isSameUnits(before, after)) return { what, before: '', after: '' }
  const [was, is] = [unitsText(before), unitsText(after)]
  return was === is ? { what, before: '', after: 'outros dados' } : { what, before: was, after: is }
}

function filesOf({ media: before }: DevelopmentEdit, { media: after }: DevelopmentEdit): Difference {
  const what = 'Fotos e arquivos'
  const [was, is] = [before, after].map((files) => files.map(({ id }) => id).join(' '))
  if (was === is) return { what, before: '', after: '' }
  if (before.length === after.length) return { what, before: '', after: 'outra ordem' }
  return { what, before: String(before.length), after: String(after.length) }
}

/** The names of plans whose price or last day differs; '' stands for the development's own price. */
export function changedPrices(before: DevelopmentEdit, after: DevelopmentEdit): string[] {
  const was = new Map(before.plans.map((plan) => [plan.key, plan]))
  const isSame = (one: PriceTexts | undefined, other: PriceTexts) =>
    (one?.price ?? '').trim() === other.price.trim() &&
    (one?.validUntil ?? '').trim() === other.validUntil.trim()
  return [
    ...(isSame(before, after) ? [] : ['']),
    ...after.plans.filter((plan) => !isSame(was.get(plan.key), plan)).map(({ name }) => name.trim()),
  ]
}
type PriceTexts = Pick<PlanTexts, 'price' | 'validUntil'>
