// What a benchmark observes of a running portal: its memory over time, and when every accepted webhook is applied.
import { readFile } from 'node:fs/promises'
import { call } from '#tests/support/portal.ts'
import { rest } from './http.ts'

const LOOK_EVERY_MS = 50
const WEIGH_EVERY_MS = 1_000
/** A leak of one kilobyte per message would be six times as much. */
export const MAX_GROWTH_MB_A_MINUTE = 5

export type Sample = { atMs: number; mb: number }

/** The process's resident memory once a second, from one moment to another of `Date.now()`. */
export async function weigh(
  pid: () => number,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): Promise<Sample[]> {
  const samples: Sample[] = []
  for (await rest(fromMs - Date.now()); Date.now() < untilMs; await rest(WEIGH_EVERY_MS))
    samples.push({ atMs: Date.now(), mb: await residentMb(pid()) })
  return samples
}

async function residentMb(pid: number): Promise<number> {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** The slope of a line through all samples, in MB per minute. */
export function slope(samples: readonly Sample[]): number {
  const meanAt = sum(samples.map(({ atMs }) => atMs)) / samples.length
  const meanMb = sum(samples.map(({ mb }) => mb)) / samples.length
  const along = sum(samples.map(({ atMs, mb }) => (atMs - meanAt) * (mb - meanMb)))
  const across = sum(samples.map(({ atMs }) => (atMs - meanAt) ** 2))
  return (along / across) * 60_000
}

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Resolves once everything accepted is applied; `admin` is an administrator's token. */
export async function whenApplied(origin: string, admin: string): Promise<void> {
  for (;;) {
    const { body } = await call<{ webhook: { waiting: number } }>(`${origin}/api/health`, { token: admin })
    if (body.webhook.waiting === 0) return
    await rest(LOOK_EVERY_MS)
  }
}
