// Decides whose turn it is in a rotation, and a lead's next step. Pure, so that a decision can be repeated from its
// log, and a month simulated with other rules.

/**
 * A shift (plantão). `days` are weekdays from 1 (Monday) to 7; `from` and `to` are minutes of the day. A shift that
 * ends before it begins continues into the next day.
 */
export type Shift = { days: readonly number[]; from: number; to: number }

/** A time as clocks in the portal's time zone show it. */
export type WallClock = { weekday: number; minute: number; day: string }

/** The settings of a seat, which an administrator or gerente edits. */
export type SeatRules = {
  instanceName: string
  /** A whole number from 1. A seat with twice the weight gets twice the leads. */
  weight: number
  /** Null if the broker takes leads at any time. */
  shifts: readonly Shift[] | null
  dailyCap: number | null
  isActive: boolean
}

/** A seat as it is at the moment of a decision. */
export type SeatState = SeatRules & {
  /** The seat's place, from 1. In a tie the lower place wins. */
  position: number
  /** How much of its share the rotation still owes the seat, in weights. */
  credit: number
  /** True if the broker has paused the seat. */
  isPaused: boolean
  isLinked: boolean
  /** How many leads the broker got today, open offers included. */
  receivedToday: number
  /** True if the rotation has offered this lead to the broker before. */
  wasTried: boolean
}

export type SkipReason = 'inactive' | 'paused' | 'tried' | 'off-shift' | 'not-linked' | 'daily-cap'
export type SeatOutcome = {
  instanceName: string
  reason: 'picked' | 'lister' | 'not-their-turn' | SkipReason
}

export type Decision = {
  /** The instance name of the picked broker; null if no seat can have the lead now. */
  picked: string | null
  verdicts: SeatOutcome[]
  /** The new credits of all seats that took part. */
  credits: Record<string, number>
}

/**
 * Picks a seat. Each eligible seat gets its weight as credit, and the picked one pays the sum of all weights. Of the
 * seats with credit, the rotation picks the one that would be a whole lead behind soonest. So no seat is ever a whole
 * lead away from its share. Picking the largest credit would deviate by up to 1.2 leads.
 */
export function decide(seats: readonly SeatState[], moment: WallClock): Decision {
  const inOrder = seats.toSorted((one, other) => one.position - other.position)
  const skips = new Map(inOrder.map((seat) => [seat.instanceName, skipReason(seat, moment)]))
  const able = inOrder.filter(({ instanceName }) => skips.get(instanceName) === null)
  const total = able.reduce((sum, { weight }) => sum + weight, 0)
  const shares = able.map((seat) => ({ ...seat, credit: within(seat.credit, total) + seat.weight }))
  const picked = soonestBehind(shares, total)?.instanceName ?? null
  return {
    picked,
    verdicts: inOrder.map(({ instanceName }) => ({
      instanceName,
      reason: skips.get(instanceName) ?? (instanceName === picked ? 'picked' : 'not-their-turn'),
    })),
    credits: Object.fromEntries(
      shares.map(({ instanceName, credit }) => [
        instanceName,
        instanceName === picked ? credit - total : credit,
      ]),
    ),
  }
}

type Share = { instanceName: string; weight: number; credit: number }

function soonestBehind(shares: readonly Share[], total: number): Share | undefined {
  const owed = shares.filter(({ credit }) => credit > 0)
  // No eligible seat has credit if those with credit cannot take part now.
  if (owed.length === 0) return shares.toSorted((one, other) => other.credit - one.credit)[0]
  return owed.toSorted(
    (one, other) => (total - one.credit) * other.weight - (total - other.credit) * one.weight,
  )[0]
}

/** Limits credits that come from a time when the rotation had more seats. */
const within = (credit: number, total: number) => Math.max(-total, Math.min(total, credit))

function skipReason(seat: SeatState, moment: WallClock): SkipReason | null {
  if (!seat.isActive) return 'inactive'
  if (seat.wasTried) return 'tried'
  if (seat.isPaused) return 'paused'
  if (!isOnShift(seat.shifts, moment)) return 'off-shift'
  if (!seat.isLinked) return 'not-linked'
  if (seat.dailyCap !== null && seat.receivedToday >= seat.dailyCap) return 'daily-cap'
  return null
}

export function isOnShift(shifts: readonly Shift[] | null, { weekday, minute }: WallClock): boolean {
  const yesterday = weekday === 1 ? 7 : weekday - 1
  return (
    shifts === null ||
    shifts.some(({ days, from, to }) =>
      from < to
        ? days.includes(weekday) && minute >= from && minute < to
        : (days.includes(weekday) && minute >= from) || (days.includes(yesterday) && minute < to),
    )
  )
}

/** What happened to a lead so far. */
export type LeadHistory = {
  /** How the last step ended: the offer expired, or the owner wrote or did not. Null if it has not ended. */
  ended: 'expired' | 'unanswered' | 'answered' | null
  /** The broker who has this person as a lead already; null if there is none. */
  theirs: string | null
  /** How many brokers the lead was offered or given to. */
  hops: number
  moment: WallClock
  roleta: {
    id: number
    needsAcceptance: boolean
    maxHops: number
    seats: SeatState[]
    /**
     * The broker of the listing that the lead asked about, who comes first, in the rotation or not. Null if there is
     * none.
     */
    lister?: SeatState | null
  } | null
}

export type Step = {
  kind: 'answered' | 'theirs' | 'inbox' | 'pooled' | 'offered' | 'given' | 'waiting'
  to: string | null
  decision: Decision | null
}

export function nextStep({ ended, theirs, hops, moment, roleta: rotation }: LeadHistory): Step {
  const plain = (kind: Step['kind'], to: string | null = null): Step => ({ kind, to, decision: null })
  if (ended === 'answered') return plain('answered')
  if (theirs !== null) return plain('theirs', theirs)
  if (rotation === null) return plain('inbox')
  if (hops >= rotation.maxHops) return plain('pooled')
  const decision = listerFirst(rotation.lister ?? null, moment) ?? decide(rotation.seats, moment)
  if (decision.picked !== null)
    return { kind: rotation.needsAcceptance ? 'offered' : 'given', to: decision.picked, decision }
  // If every available broker has had the lead, it goes to the bolsão. If none was available, as at night, it waits for
  // the first one.
  return { kind: hops > 0 ? 'pooled' : 'waiting', to: null, decision }
}

/**
 * Gives a listing's lead to the broker who brought the listing. Such leads do not count against the broker's share.
 * Null if the broker cannot have the lead now.
 */
function listerFirst(lister: SeatState | null, moment: WallClock): Decision | null {
  if (lister === null || skipReason(lister, moment) !== null) return null
  const { instanceName } = lister
  return { picked: instanceName, verdicts: [{ instanceName, reason: 'lister' }], credits: {} }
}

/** A lead's arrival. `away` are the brokers who were paused or not linked then. */
export type Arrival = { moment: WallClock; away: readonly string[] }
export type Simulation = { byBroker: Record<string, number>; withoutBroker: number }

/** Simulates how a rotation would distribute a sequence of leads. Each goes to the first picked broker. */
export function simulate(arrivals: readonly Arrival[], rules: readonly SeatRules[]): Simulation {
  const byBroker: Record<string, number> = Object.fromEntries(rules.map((seat) => [seat.instanceName, 0]))
  const credits: Record<string, number> = {}
  const today = new Map<string, number>()
  let day = ''
  let withoutBroker = 0
  for (const { moment, away } of arrivals) {
    if (moment.day !== day) today.clear()
    day = moment.day
    const seats = rules.map((seat, index) => ({
      ...seat,
      position: index + 1,
      credit: credits[seat.instanceName] ?? 0,
      isPaused: false,
      isLinked: !away.includes(seat.instanceName),
      receivedToday: today.get(seat.instanceName) ?? 0,
      wasTried: false,
    }))
    const { picked, credits: then } = decide(seats, moment)
    Object.assign(credits, then)
    if (picked === null) withoutBroker++
    else {
      byBroker[picked] = (byBroker[picked] ?? 0) + 1
      today.set(picked, (today.get(picked) ?? 0) + 1)
    }
  }
  return { byBroker, withoutBroker }
}
