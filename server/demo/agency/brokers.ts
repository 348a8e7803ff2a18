// The brokers of the demo: sixteen, and one without a password yet.
import { INSTANCE_PREFIX } from '#domain/broker.ts'
import type { Random } from '../random.ts'

export type Gender = 'f' | 'm'

export type DemoBroker = {
  id: string
  instanceId: string
  username: string
  instanceName: string
  name: string
  gender: Gender
  number: string
  leadCount: number
  /** Median delay of the broker's first answer, in minutes of working hours. */
  paceMinutes: number
  joinedDaysAgo: number
}

/** username, gender, leads, pace in minutes, days since joining; two thousand leads in all. */
const TEAM: readonly (readonly [string, Gender, number, number, number])[] = [
  ['camila', 'f', 49, 4, 214],
  ['rafael', 'm', 277, 7, 301],
  ['juliana', 'f', 255, 5, 296],
  ['eduardo', 'm', 233, 16, 288],
  ['priscila', 'f', 191, 9, 263],
  ['marcelo', 'm', 170, 11, 254],
  ['tatiane', 'f', 149, 6, 240],
  ['gustavo', 'm', 144, 21, 233],
  ['fernanda', 'f', 127, 28, 229],
  ['leandro', 'm', 114, 13, 221],
  ['simone', 'f', 94, 18, 205],
  ['bruno', 'm', 62, 8, 187],
  ['carolina', 'f', 56, 10, 176],
  ['diego', 'm', 40, 35, 158],
  ['vanessa', 'f', 29, 6, 131],
  ['henrique', 'm', 10, 15, 112],
]

/** The broker who was added but never connected, with an open first access. */
export const NEWCOMER = 'novato'

export function makeBrokers(random: Random): DemoBroker[] {
  return TEAM.map(([username, gender, leadCount, paceMinutes, joinedDaysAgo], index) => ({
    id: random.uuid(),
    instanceId: random.uuid(),
    username,
    instanceName: INSTANCE_PREFIX + username,
    name: username.charAt(0).toUpperCase() + username.slice(1),
    gender,
    number: `55119010001${String(index + 1).padStart(2, '0')}`,
    leadCount,
    paceMinutes,
    joinedDaysAgo,
  }))
}
