// Assigns the brokers and stages that a list names to those of the portal: guessed by name, or chosen by the
// administrator.
import { brokerLabel } from '#domain/broker.ts'
import { foldText } from '#domain/search.ts'
import type { BindingFault, ListRow } from './fields.ts'
import type { ReadRow } from './row.ts'

/** The administrator's choices by name in the list. Each is an instance name or a stage's slug, UNBOUND or REFUSED. */
export type ChosenBindings = Readonly<Record<'brokers' | 'stages', Readonly<Record<string, string>>>>
/**
 * The name is not assigned. Its leads get a broker like rows without one, and the first stage with the list's stage as
 * tag.
 */
export const UNBOUND = ''
/** Rows with this name are not imported. */
export const REFUSED = '!'

/** The portal's own brokers and stages, to which names of a list can be assigned. */
export type OurNames = {
  /** The brokers' instance names. */
  brokers: readonly string[]
  stages: readonly { slug: string; name: string }[]
}
export type Bindings = { brokerOf: (name: string) => string; stageOf: (name: string) => string }

/** Assigns each name as the administrator chose; other names by a guess. */
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

/** Returns the name in lower case, with only its plain letters and digits. */
const keyOf = (name: string) => foldText(name).replace(/[^a-z0-9]+/g, '')

/**
 * Finds camila for 'Camila', 'camila@imobiliaria.com' and 'corretor_camila'. 'Camila Souza' matches if only one
 * broker's name begins so.
 */
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

/** Tells why the administrator's choices refuse a row; null if they do not. */
export function bindingFault({ lead }: ReadRow, { brokerOf, stageOf }: Bindings): BindingFault | null {
  if (lead?.broker && brokerOf(lead.broker) === REFUSED) return 'unknown-broker'
  return lead?.stage && stageOf(lead.stage) === REFUSED ? 'unknown-stage' : null
}

/** Returns the row's fields as the portal gets them, with its own broker and stage. */
export function boundFields(fields: ListRow, { lead }: ReadRow, { brokerOf, stageOf }: Bindings): ListRow {
  if (lead === null) return fields
  const { broker: _, ...row } = fields
  const broker = lead.broker === null ? UNBOUND : brokerOf(lead.broker)
  const boardStage = lead.stage === null ? UNBOUND : stageOf(lead.stage)
  if (broker === REFUSED || boardStage === REFUSED) return fields
  return { ...row, ...(broker !== UNBOUND && { broker }), ...(boardStage !== UNBOUND && { boardStage }) }
}
