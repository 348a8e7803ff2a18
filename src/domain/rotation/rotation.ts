// The rotation's decision: whose turn it is, and the next step of a lead. Pure, so that a decision can be
// repeated from its log, and a month simulated under other rules.

/**
 * Plantão: `days` 1 (Monday) to 7; minutes of the day. A shift that ends before it begins continues into the
 * next day.
 */
export type Shift = { days: readonly number[]; from: number; to: number }

/** Wall-clock time in the portal's time zone. */
export type WallClock = { weekday: number; minute: number; day: string }

/** Settings of a seat, by the administrator. */
export type SeatRules = {
  instanceName: string
  /** Twice the weight, twice the leads; a whole number from 1. */
  weight: number
  /** Null: at any time. */
  shifts: readonly Shift[] | null
  dailyCap: number | null
  isActive: boolean
}

/** A seat at the moment of a decision. */
export type SeatState = SeatRules & {
  /** The seat's place, from 1; the lower one wins a tie. */
  position: number
  /** Share that the rotation still owes the seat, in weights. */
  credit: number
  /** Set by the broker. */
  isPaused: boolean
  isLinked: boolean
  /** Includes open offers. */
  receivedToday: number
  /** The broker had this lead offered before. */
  wasTried: boolean
}

export type SkipReason = 'inactive' | 'paused' | 'tried' | 'off-shift' | 'not-linked' | 'daily-cap'
export type SeatOutcome = {
  instanceName: string
  reason: 'picked' | 'lister' | 'not-their-turn' | SkipReason
}

export type Decision = {
  /** Instance name; null if no seat can have the lead now. */
  picked: string | null
  verdicts: SeatOutcome[]
  /** New credits of the seats that took part in the decision. */
  credits: Record<string, number>
}

/**
 * Each eligible seat gets its weight as credit, and the picked one pays the sum of the weights. Of the seats
 * with credit, the one is picked that would first be a whole lead behind. No seat is then ever a whole lead
 * away from its share, however long the sequence. Picking the largest credit would deviate by up to 1.2
 * leads.
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
  // Possible when the seats with credit do not take part now.
  if (owed.length === 0) return shares.toSorted((one, other) => other.credit - one.credit)[0]
  return owed.toSorted(
    (one, other) => (total - one.credit) * other.weight - (total - other.credit) * one.weight,
  )[0]
}

/** Limits credits from a time when the rotation was larger. */
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

/** The state of a lead in its case. */
export type LeadHistory = {
  /** How the last step ended: an offer expired, an owner wrote or did not. */
  ended: 'expired' | 'unanswered' | 'answered' | null
  /** The broker who already has the person. */
  theirs: string | null
  /** Number of brokers who had it offered or given. */
  hops: number
  moment: WallClock
  roleta: {
    id: number
    needsAcceptance: boolean
    maxHops: number
    seats: SeatState[]
    /** The broker of the listing that the lead asked about, who comes first; in the rotation or not. */
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
  // Every available broker had it: bolsão. If nobody has had it yet (at night), it waits for the first
  // available one.
  return { kind: hops > 0 ? 'pooled' : 'waiting', to: null, decision }
}

/** The lister's own leads cost no share of the rotation. Null if the lister cannot have the lead now. */
function listerFirst(lister: SeatState | null, moment: WallClock): Decision | null {
  if (lister === null || skipReason(lister, moment) !== null) return null
  const { instanceName } = lister
  return { picked: instanceName, verdicts: [{ instanceName, reason: 'lister' }], credits: {} }
}

/** An arrival, with the brokers who were paused or without WhatsApp then. */
export type Arrival = { moment: WallClock; away: readonly string[] }
export type Simulation = { byBroker: Record<string, number>; withoutBroker: number }

/** Simulates how a sequence of leads would be distributed; each goes to the first pick. */
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
