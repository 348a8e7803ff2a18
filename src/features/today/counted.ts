// How a wait stands to its target, of which only hours count in which somebody is there to answer.
import type { Lead } from '#domain/lead/lead.ts'
import { targetWords, type WaitTone, waitTone } from '#domain/next-action/words.ts'

/** As the server counted it at a moment, and whether it runs since. */
export type Counted = { atMs: number; countedMs: number; isOpen: boolean }

export type CountedOf = ReadonlyMap<number, Counted>

type Wait = { nowMs: number; targetMs: number; counted: Counted | undefined }

/** `targetMs`: the agency's. Of a lead that the server has not counted every hour counts. */
export function standingOf(
  { waitingSinceMs, targetMs: ownMs }: Lead,
  { nowMs, targetMs: agencyMs, counted }: Wait,
): { waitedMs: number; isOver: boolean; tone: WaitTone; words: string } {
  const waitedMs = nowMs - (waitingSinceMs ?? nowMs)
  const targetMs = ownMs ?? agencyMs
  const countedMs = counted ? counted.countedMs + (counted.isOpen ? nowMs - counted.atMs : 0) : waitedMs
  const tone = waitTone(countedMs, targetMs)
  const isOver = countedMs >= targetMs
  if (counted && !counted.isOpen && !isOver)
    return { waitedMs, isOver, tone: 'calm', words: 'fora do horário' }
  // The sun is for who has just written, not for who waited through a night.
  return {
    waitedMs,
    isOver,
    tone: tone === 'sun' ? waitTone(waitedMs, waitedMs + 1) : tone,
    words: targetWords(countedMs, targetMs),
  }
}
