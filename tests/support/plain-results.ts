// The results of a period reckoned slowly, lead by lead and instant by instant, from generated histories; the database
// must give the same figures.

export type Told = {
  at: number
  isHuman: boolean
  isIncoming: boolean
  by: string | null
  hasFailed?: boolean
}
export type Visit = { madeAt: number; at: number; outcome: 'done' | 'missed' | 'not_needed' | null }
/** A lead's life; times are seconds, owners instance names. */
export type Life = {
  person: number
  source: string
  /** Arrival by a form; null: the first incoming message is the arrival. */
  leftAt: number | null
  owners: readonly { since: number; owner: string | null }[]
  messages: readonly Told[]
  optedOutAt: number | null
  wonAt: number | null
  cents: number | null
  lost: { at: number; reason: string | null } | null
  visits: readonly Visit[]
}
type Span = { life: Life; at: number; until: number; isAnswered: boolean }
export type Asked = {
  from: number
  to: number
  now: number
  days: number
  target: number
  known: readonly string[]
}

const SILENCE = 90 * 86_400

const ownerAt = (life: Life, at: number) => life.owners.findLast(({ since }) => since <= at)?.owner ?? null

type Arrival = { at: number; answeredAt: number; answeredBy: string | null; leftAt: number }

function arrivalsOf(life: Life): Arrival[] {
  const told = life.messages.toSorted((a, b) => a.at - b.at)
  const first = Math.min(life.leftAt ?? Infinity, told.find(({ isIncoming }) => isIncoming)?.at ?? Infinity)
  if (first === Infinity) return []
  const returns = told.filter((message, index) => {
    const before = told[index - 1]
    return (
      message.isIncoming && message.at > first && before !== undefined && message.at - before.at >= SILENCE
    )
  })
  return [first, ...returns.map(({ at }) => at)].map((at) => {
    const answer = told.find(
      (message) => !message.isIncoming && message.isHuman && !message.hasFailed && message.at >= at,
    )
    const answeredAt = answer?.at ?? Infinity
    const outAt = life.optedOutAt
    const isOut = outAt !== null && outAt < answeredAt && (outAt >= at || answer === undefined)
    return { at, answeredAt, answeredBy: answer?.by ?? null, leftAt: isOut ? Math.max(outAt, at) : Infinity }
  })
}

/** What a group received of one lead: from an arrival or a hand-over until the answer, the opt-out or a hand-over. */
function spansOf(life: Life, isOurs: (owner: string | null) => boolean, { now, known }: Asked): Span[] {
  const spans: Span[] = []
  for (const { at, answeredAt, answeredBy, leftAt } of arrivalsOf(life)) {
    const end = Math.min(answeredAt, leftAt)
    let since = isOurs(ownerAt(life, at)) ? at : null
    const close = (until: number) => {
      if (since === null) return
      const isByUs = answeredBy === null || !known.includes(answeredBy) || isOurs(answeredBy)
      const isAnswered = answeredAt <= until && answeredAt < Infinity && answeredAt <= leftAt && isByUs
      spans.push({ life, at: since, until: Math.max(since, Math.min(until, end, now)), isAnswered })
      since = null
    }
    for (const change of life.owners.filter((owner) => owner.since > at)) {
      if (since === null && change.since < end && isOurs(change.owner)) since = change.since
      else if (since !== null && !isOurs(change.owner)) close(change.since)
    }
    close(Infinity)
  }
  return spans
}

/** One row a person until it was silent for 90 days. */
function oncePerPerson(spans: readonly Span[], lives: readonly Life[]): Span[] {
  const order = (span: Span) => lives.indexOf(span.life)
  const isBefore = (a: Span, b: Span) => a.at < b.at || (a.at === b.at && order(a) < order(b))
  return spans.filter(
    (span) =>
      !spans.some((other) => {
        if (other.life.person !== span.life.person || !isBefore(other, span)) return false
        const last = other.life.messages.filter(({ at }) => at < span.at).map(({ at }) => at)
        return Math.max(other.at, ...last) > span.at - SILENCE
      }),
  )
}

/** The first times at which the shares are answered, and the share answered within a time. */
function plainCurve(waits: readonly { seconds: number; isAnswered: boolean }[], within: number) {
  let left = 1
  let inTime = 0
  const firsts: Record<'p25' | 'median' | 'p90', number | null> = { p25: null, median: null, p90: null }
  for (const seconds of [...new Set(waits.map((wait) => wait.seconds))].toSorted((a, b) => a - b)) {
    const risk = waits.filter((wait) => wait.seconds >= seconds).length
    const hits = waits.filter((wait) => wait.seconds === seconds && wait.isAnswered).length
    left *= 1 - hits / risk
    for (const [name, share] of [
      ['p25', 0.75],
      ['median', 0.5],
      ['p90', 0.1],
    ] as const)
      if (firsts[name] === null && left <= share + 1e-9) firsts[name] = seconds
    if (seconds <= within) inTime = 1 - left
  }
  return { ...firsts, within: inTime }
}

/** Of everybody (null), of one broker, or of a team's brokers; a broker has one row a span, others one a person. */
export function plainFigures(lives: readonly Life[], of: string | readonly string[] | null, asked: Asked) {
  const { from, to, now, days, target } = asked
  const isOurs = (owner: string | null) => of === null || (owner !== null && [of].flat().includes(owner))
  const isIn = (at: number) => at >= from && at < to
  const all = lives.flatMap((life) => spansOf(life, isOurs, asked))
  const spans = (typeof of === 'string' ? all : oncePerPerson(all, lives)).filter(({ at }) => isIn(at))
  const waits = spans.map(({ at, until, isAnswered }) => ({ seconds: until - at, isAnswered }))
  const firstOf = new Map<Life, Span>()
  for (const span of spans.toSorted((a, b) => a.at - b.at))
    if (span.at <= now - days * 86_400 && !firstOf.has(span.life)) firstOf.set(span.life, span)
  const converted = [...firstOf.values()].filter(
    ({ life, at }) =>
      life.wonAt !== null &&
      life.wonAt >= at &&
      life.wonAt < at + days * 86_400 &&
      isOurs(ownerAt(life, life.wonAt)),
  )
  const visits = lives.flatMap((life) =>
    life.visits.filter(({ outcome }) => outcome !== 'not_needed').map((visit) => ({ life, ...visit })),
  )
  const over = visits.filter(({ life, at }) => isIn(at) && at < now && isOurs(ownerAt(life, at)))
  const told = (outcome: Visit['outcome']) => over.filter((visit) => visit.outcome === outcome).length
  const won = lives.filter(
    ({ wonAt, ...life }) => wonAt !== null && isIn(wonAt) && isOurs(ownerAt({ ...life, wonAt }, wonAt)),
  )
  const lost = lives.filter(
    (life) => life.lost !== null && isIn(life.lost.at) && isOurs(ownerAt(life, life.lost.at)),
  )
  const curve = plainCurve(waits, target)
  return {
    received: spans.length,
    answered: spans.filter(({ isAnswered }) => isAnswered).length,
    median: curve.median,
    p90: curve.p90,
    within: waits.length === 0 ? null : curve.within,
    inTime: waits.filter(({ seconds, isAnswered }) => isAnswered && seconds <= target).length,
    decided: waits.filter(({ seconds, isAnswered }) => isAnswered || seconds > target).length,
    cohort: firstOf.size,
    converted: converted.length,
    booked: visits.filter(({ life, madeAt }) => isIn(madeAt) && isOurs(ownerAt(life, madeAt))).length,
    held: told('done'),
    missed: told('missed'),
    untold: told(null),
    won: won.length,
    cents: won.reduce((sum, { cents }) => sum + (cents ?? 0), 0),
    lost: lost.length,
    losses: Object.fromEntries(
      [...new Set(lost.map((life) => life.lost?.reason ?? 'none'))].map((reason) => [
        reason,
        lost.filter((life) => (life.lost?.reason ?? 'none') === reason).length,
      ]),
    ),
  }
}
