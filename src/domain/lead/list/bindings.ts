// How the brokers and stages that a list names become ours: guessed by name, chosen by the importing person.
import { brokerLabel } from '#domain/broker.ts'
import { foldText } from '#domain/search.ts'
import type { BindingFault, ListRow } from './fields.ts'
import type { ReadRow } from './row.ts'

/** For names of the list: an instance name or a stage's slug, or one of the two below. */
export type ChosenBindings = Readonly<Record<'brokers' | 'stages', Readonly<Record<string, string>>>>
/** The broker is chosen as for a row without one; the stage is the first, with the name as a tag. */
export const UNBOUND = ''
/** Rows with this name are not imported. */
export const REFUSED = '!'

/** The agency's brokers and stages, to which the names of a list are bound. */
export type OurNames = {
  /** Instance names. */
  brokers: readonly string[]
  stages: readonly { slug: string; name: string }[]
}
export type Bindings = { brokerOf: (name: string) => string; stageOf: (name: string) => string }

/** Binds each name as the administrator chose, else by a guess. */
export function bindingsOf(ours: OurNames, chosen: ChosenBindings): Bindings {
  return {
    brokerOf: remembered((name) => chosen.brokers[name] ?? guessBroker(name, ours.brokers)),
    stageOf: remembered((name) => chosen.stages[name] ?? guessStage(name, ours.stages)),
  }
}

function remembered(bind: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>()
  return (name) => {
    const to = known.get(name) ?? bind(name)
    known.set(name, to)
    return to
  }
}

/** Lower case, without accents and without anything between letters and digits. */
const keyOf = (name: string) => foldText(name).replace(/[^a-z0-9]+/g, '')

/** 'Camila', 'camila@imobiliaria.com' and 'corretor_camila' are camila; so is 'Camila Souza', if only one begins so. */
function guessBroker(name: string, instanceNames: readonly string[]): string {
  const keys = instanceNames.map((instanceName) => ({ instanceName, key: keyOf(brokerLabel(instanceName)) }))
  const wanted = [brokerLabel(name), name.replace(/@.*$/s, '')].map(keyOf)
  const exact = keys.find(({ key }) => wanted.includes(key))
  if (exact) return exact.instanceName
  const [first = '', ...more] = name.trim().split(/\s+/)
  const begun = more.length === 0 ? [] : keys.filter(({ key }) => key === keyOf(first))
  return begun.length === 1 ? begun[0]!.instanceName : UNBOUND
}

const guessStage = (name: string, stages: readonly { slug: string; name: string }[]): string =>
  stages.find((stage) => [stage.name, stage.slug].some((known) => keyOf(known) === keyOf(name)))?.slug ??
  UNBOUND

/** Why the choices refuse a row; null if they do not. */
export function bindingFault({ lead }: ReadRow, { brokerOf, stageOf }: Bindings): BindingFault | null {
  if (lead?.broker && brokerOf(lead.broker) === REFUSED) return 'unknown-broker'
  return lead?.stage && stageOf(lead.stage) === REFUSED ? 'unknown-stage' : null
}

/** The row's fields as they are sent: with our broker and our stage. */
export function boundFields(fields: ListRow, { lead }: ReadRow, { brokerOf, stageOf }: Bindings): ListRow {
  if (lead === null) return fields
  const { broker: _, ...row } = fields
  const broker = lead.broker === null ? UNBOUND : brokerOf(lead.broker)
  const boardStage = lead.stage === null ? UNBOUND : stageOf(lead.stage)
  if (broker === REFUSED || boardStage === REFUSED) return fields
  return { ...row, ...(broker !== UNBOUND && { broker }), ...(boardStage !== UNBOUND && { boardStage }) }
}
