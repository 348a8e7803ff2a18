// The rotation's decision: whose turn a lead is, and what becomes of it.
// Pure, so that what was decided can be decided again from its log, and a month replayed under other rules.

/** Plantão: `days` 1 (Monday) to 7; minutes of the day. One that ends before it begins goes on into the next day. */
export type Shift = { days: readonly number[]; from: number; to: number }

/** Wall-clock time in the portal's zone. */
export type WallClock = { weekday: number; minute: number; day: string }

/** What an administrator sets of a seat. */
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
  /** From 1; who comes first of those whose turn it is alike. */
  position: number
  /** What the rotation owes the seat, in weights. */
  credit: number
  /** By the broker. */
  isPaused: boolean
  isLinked: boolean
  /** Offers that stand count as well. */
  receivedToday: number
  /** This very lead was theirs to take before. */
  wasTried: boolean
}

export type SkipReason = 'inactive' | 'paused' | 'tried' | 'off-shift' | 'not-linked' | 'daily-cap'
export type SeatOutcome = { instanceName: string; reason: 'picked' | 'not-their-turn' | SkipReason }

export type Decision = {
  /** Instance name; null where nobody can have it now. */
  picked: string | null
  verdicts: SeatOutcome[]
  /** The credits from now on, of those whose credit the decision was over. */
  credits: Record<string, number>
}

/**
 * Each who can have the lead gets the own weight as credit, and who is picked pays all the weights. Of those with
 * credit the one picked is who would soonest fall a whole lead behind. So nobody is ever a whole lead from the share,
 * however long the sequence; picking the largest credit would not do (it goes 1.2 leads astray).
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
  // Nobody is owed anything where those who are do not take part now.
  if (owed.length === 0) return shares.toSorted((one, other) => other.credit - one.credit)[0]
  return owed.toSorted(
    (one, other) => (total - one.credit) * other.weight - (total - other.credit) * one.weight,
  )[0]
}

/** Debts of a time when the rotation was larger are not carried on for ever. */
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

/** Where a lead is on its way. */
export type LeadHistory = {
  /** How what it waited for ended: an offer by its time, an owner by writing or not. */
  ended: 'expired' | 'unanswered' | 'answered' | null
  /** The broker who has the person already. */
  theirs: string | null
  /** How many had it offered or given. */
  hops: number
  moment: WallClock
  roleta: { id: number; needsAcceptance: boolean; maxHops: number; seats: SeatState[] } | null
}

export type Step = {
  kind: 'answered' | 'theirs' | 'inbox' | 'pooled' | 'offered' | 'given' | 'waiting'
  to: string | null
  decision: Decision | null
}

/** What is to be done with the lead now. */
export function nextStep({ ended, theirs, hops, moment, roleta: rotation }: LeadHistory): Step {
  const plain = (kind: Step['kind'], to: string | null = null): Step => ({ kind, to, decision: null })
  if (ended === 'answered') return plain('answered')
  if (theirs !== null) return plain('theirs', theirs)
  if (rotation === null) return plain('inbox')
  if (hops >= rotation.maxHops) return plain('pooled')
  const decision = decide(rotation.seats, moment)
  if (decision.picked !== null)
    return { kind: rotation.needsAcceptance ? 'offered' : 'given', to: decision.picked, decision }
  // Whoever was there had it; at night, before anyone had it, it waits for the first to be there.
  return { kind: hops > 0 ? 'pooled' : 'waiting', to: null, decision }
}

/** A lead that came in, and who was paused or without WhatsApp then. */
export type Arrival = { moment: WallClock; away: readonly string[] }
export type Simulation = { byBroker: Record<string, number>; withoutBroker: number }

/** How a sequence of leads would have been handed out, each to the first whose turn it was. */
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
