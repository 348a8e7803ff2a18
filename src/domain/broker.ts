// A broker as administrators see it, and its names: the instance it is tied to and what people read.
import type { Link } from './link.ts'

export const INSTANCE_PREFIX = 'corretor_'

/** Stands for the instance name where a lead has no broker: that board is the administrator's. */
export const NO_BROKER = ''

/** What a card says of its broker: the instance name without its prefix, 'Corretor' where nothing is left. */
export function brokerLabel(instanceName: string): string {
  const username = instanceName.startsWith(INSTANCE_PREFIX)
    ? instanceName.slice(INSTANCE_PREFIX.length)
    : instanceName
  return username.trim() || 'Corretor'
}

/** The instance name without its prefix, capitalised. */
export function displayName(instanceName: string): string {
  const label = brokerLabel(instanceName)
  return label.charAt(0).toLocaleUpperCase('pt-BR') + label.slice(1)
}

export type Broker = {
  id: string
  instanceName: string
  number: string | null
  pictureUrl: string | null
  /** No broker's own number: first messages to it are leads for a rotation. */
  isCentral: boolean
  state: Link['state']
  /** When the link last became what it is. */
  changedAtMs: number | null
  /** Since when the link is lost without anybody having cut it. */
  lostAtMs: number | null
  /** False: the first access is still awaited. */
  hasPassword: boolean
  /** Last sign of a device that is signed in. */
  seenAtMs: number | null
  /** What goes along when the broker is removed. */
  campaignCount: number
  seatCount: number
}

/** What keeps a typed username from being taken; the wish is already stripped to letters. */
export function usernameFault(username: string, brokers: readonly Broker[]): 'empty' | 'taken' | null {
  if (username === '') return 'empty'
  return brokers.some(({ instanceName }) => instanceName === INSTANCE_PREFIX + username) ? 'taken' : null
}

/** Letters alone, as they are typed: capitals, accents and spaces become plain ones ('João Silva' is 'joaosilva'), digits and signs fall away. */
export function onlyUsernameLetters(typed: string): string {
  return typed
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
}
