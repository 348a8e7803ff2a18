// A broker as administrators see it, with its names: the instance name and the readable ones.
import type { Link, LinkLimit } from './link.ts'

export const INSTANCE_PREFIX = 'corretor_'

/** Stands for leads without a broker, which are on the administrator's board. */
export const NO_BROKER = ''

/** Returns the broker's name on a card: the instance name without its prefix, 'Corretor' if nothing is left. */
export function brokerLabel(instanceName: string): string {
  const username = instanceName.startsWith(INSTANCE_PREFIX)
    ? instanceName.slice(INSTANCE_PREFIX.length)
    : instanceName
  return username.trim() || 'Corretor'
}

/** Returns the instance name without its prefix, with a capital first letter. */
export function displayName(instanceName: string): string {
  const label = brokerLabel(instanceName)
  return label.charAt(0).toLocaleUpperCase('pt-BR') + label.slice(1)
}

export type Broker = {
  id: string
  instanceName: string
  number: string | null
  pictureUrl: string | null
  /** True if the agency shares this number. First messages to it become leads of a rotation. */
  isCentral: boolean
  /** True if the broker has connected WhatsApp at least once; `state` tells whether it is connected now. */
  isActive: boolean
  state: Link['state']
  /** When the link's state last changed. */
  changedAtMs: number | null
  /** When the link was lost although nobody disconnected it; null if it was not lost. */
  lostAtMs: number | null
  /** WhatsApp lets the number begin no conversation. */
  limit: LinkLimit | null
  /** False: the broker has not set a password yet. */
  hasPassword: boolean
  /** When a signed-in device last sent a request; null if none ever did. */
  seenAtMs: number | null
  /** How many campaigns and seats in rotations a removal of the broker would delete. */
  campaignCount: number
  seatCount: number
}

/** Tells why a username cannot be used; null if it can. The caller has reduced the text to letters already. */
export function usernameFault(username: string, brokers: readonly Broker[]): 'empty' | 'taken' | null {
  if (username === '') return 'empty'
  return brokers.some(({ instanceName }) => instanceName === INSTANCE_PREFIX + username) ? 'taken' : null
}

/** Reduces typed text to plain letters: 'João Silva' becomes 'joaosilva'. Digits and signs are removed. */
export function onlyUsernameLetters(typed: string): string {
  return typed
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
}
