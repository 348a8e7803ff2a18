// Three rotations with their seats, and the leads that each distributed.
import { createArrivals } from '../leads/arrivals.ts'
import { DAY, HOUR, type Calendar } from '../calendar.ts'
import type { Random } from '../random.ts'

type Seat = { username: string; joinsInRound: number }

export type DemoRotation = {
  development: string
  isActive: boolean
  createdDaysAgo: number
  /** The seats in the order of the rotation. */
  seats: readonly Seat[]
  rounds: number
  /** The leads were distributed between `from` and `until` days ago. */
  from: number
  until: number
}

export type HandedOut = { development: string; username: string; createdAt: number }

const seats = (...usernames: string[]): Seat[] => usernames.map((username) => ({ username, joinsInRound: 1 }))

export const ROTATIONS: readonly DemoRotation[] = [
  {
    development: 'Mirante do Lago',
    isActive: true,
    createdDaysAgo: 100,
    seats: [
      ...seats('camila', 'juliana', 'eduardo', 'marcelo', 'tatiane'),
      { username: 'gustavo', joinsInRound: 14 },
    ],
    rounds: 14,
    from: 88,
    until: 0.5,
  },
  {
    development: 'Jardim das Acácias',
    isActive: true,
    createdDaysAgo: 143,
    seats: seats('rafael', 'priscila', 'leandro', 'fernanda', 'bruno', 'carolina', 'simone', 'diego'),
    rounds: 12,
    from: 88,
    until: 0.5,
  },
  {
    development: 'Vista Serrana',
    isActive: false,
    createdDaysAgo: 247,
    seats: seats('rafael', 'eduardo', 'priscila', 'vanessa'),
    rounds: 9,
    from: 88,
    until: 34,
  },
]

/** Every distributed lead, with its broker. */
export function handOut(calendar: Calendar, random: Random): HandedOut[] {
  const draw = createArrivals(calendar, random)
  return ROTATIONS.flatMap(({ development, seats, rounds, from, until }) => {
    const turns = Array.from({ length: rounds }, (_, round) =>
      seats.filter(({ joinsInRound }) => joinsInRound <= round + 1),
    ).flat()
    const times = turns
      .map(() => draw(calendar.now - from * DAY, calendar.now - Math.max(6 * HOUR, until * DAY)))
      .toSorted((one, other) => one - other)
    return turns.map(({ username }, turn) => ({
      development,
      username,
      createdAt: times[turn] ?? calendar.now,
    }))
  })
}
