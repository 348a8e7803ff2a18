// A broker as administrators see it, with its names: the instance name and the readable ones.
import type { Link } from './link.ts'

export const INSTANCE_PREFIX = 'corretor_'

/** Instance name for leads without a broker: the administrator's board. */
export const NO_BROKER = ''

/** The broker's name on a card: the instance name without its prefix, 'Corretor' if nothing is left. */
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
  /** A number shared by the agency: first messages to it become leads for a rotation. */
  isCentral: boolean
  /** WhatsApp was connected once; `state` says whether it is now. */
  isActive: boolean
  state: Link['state']
  /** When the link's state last changed. */
  changedAtMs: number | null
  /** Since when the link is down although nobody disconnected it. */
  lostAtMs: number | null
  /** False: the broker has not set a password yet. */
  hasPassword: boolean
  /** Last request of a signed-in device. */
  seenAtMs: number | null
  /** What a removal of the broker would delete. */
  campaignCount: number
  seatCount: number
}

/** Why a username cannot be used; the input is already reduced to letters. */
export function usernameFault(username: string, brokers: readonly Broker[]): 'empty' | 'taken' | null {
  if (username === '') return 'empty'
  return brokers.some(({ instanceName }) => instanceName === INSTANCE_PREFIX + username) ? 'taken' : null
}

/** Reduces typed text to plain letters: 'João Silva' becomes 'joaosilva'; digits and signs are removed. */
export function onlyUsernameLetters(typed: string): string {
  return typed
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
}
