// Durations between a lead's first steps, such as from the offer to the answer.

/** Steps that the portal or a broker takes for the lead. The time before one shows how fast somebody was. */
const TIMED = new Set(['offered', 'given', 'accepted', 'claimed', 'answered'])

type Step = { kind: string; atMs: number }

/**
 * Returns the time since the previous step, such as '38 s', '2 min' or '1 h 5 min'. Steps are newest first. Null for
 * steps whose delay tells nothing.
 */
export function gapOf(steps: readonly Step[], index: number): string | null {
  const step = steps[index]
  const before = steps
    .slice(index + 1)
    .find(({ kind }) => TIMED.has(kind) || kind === 'arrived' || kind === 'wrote')
  if (!step || !before || !TIMED.has(step.kind) || step.atMs < before.atMs) return null
  return spanWords(Math.floor((step.atMs - before.atMs) / 1000))
}

type NamedStage = { name: string; kind: string }

/**
 * Tells where a lost lead was before: the last stage of its history that is not a lost one, else the first open stage.
 * Undefined if every stage is a lost one.
 */
export function stageBefore<S extends NamedStage>(
  steps: readonly { kind: string; word: string | null }[],
  stages: readonly S[],
): S | undefined {
  const open = stages.filter(({ kind }) => kind !== 'lost')
  for (const { kind, word } of steps) {
    const found = kind === 'moved' ? open.find(({ name }) => name === word) : undefined
    if (found) return found
  }
  return open[0]
}

/** Returns a duration in whole seconds, minutes or hours. */
export function spanWords(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.floor(hours / 24)} dias`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}
