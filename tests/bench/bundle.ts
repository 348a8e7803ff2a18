// The bytes that a broker's browser loads from an empty cache to a usable board, sign-in included, with limits.
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { CHUNK_MAP } from '#server/ops/build/freshness.mjs'
import { inRoot } from '#server/ops/cli/root.mjs'
import type { Measure } from './measure.ts'

type Chunk = { modules: string[]; imports: string[]; assets: string[] }
type ChunkMap = Record<string, Chunk>

/** The screens between the first page and the board, with their imports. */
const SIGN_IN = ['src/start.ts', 'src/main.tsx']
const SCREENS = [...SIGN_IN, 'src/app/broker-start.ts']
/** Modules that must stay in chunks of their own. */
const STRANGERS = /^src\/routes\/(admin|panel)|node_modules\/(@supabase\/supabase-js|apexcharts|@dnd-kit)\//

/** The shell is loaded after the board can be used; its limit leaves 5 % of 420 kB for the next release. */
const LIMITS_KB = { total: 175, js: 140, signIn: 102, css: 13, font: 21, worker: 30, shell: 399 }
const MAX_FILES = 10
const WORKER = 'service-worker.js'

/**
 * Sizes of the built app, files among the broker's that should not be there, and the files kept for a start without a
 * signal.
 */
export async function measureBundle(): Promise<{
  measures: Measure[]
  strangers: string[]
  shell: string[]
  chunks: ChunkMap
}> {
  const map: ChunkMap = JSON.parse(await readFile(CHUNK_MAP, 'utf8'))
  const chunks = filesOf(map, SCREENS)
  const page = await readFile(inRoot('dist/client/index.html'), 'utf8')
  // Home screen pictures and the favicon are loaded separately, if at all.
  const linked = [...page.matchAll(/(?:href|src)="\/(?!icons\/(?:apple|favicon))([^"]+)"/g)].flatMap(
    ([, file]) => file ?? [],
  )
  const files = new Set([
    'index.html',
    ...linked,
    ...chunks,
    ...chunks.flatMap((file) => map[file]?.assets ?? []),
  ])

  const sizes = await Promise.all(
    [...files].map(async (file) => ({ file, kB: (await wireBytes(file)) / 1_000 })),
  )
  const signInSizes = await Promise.all(filesOf(map, SIGN_IN).map(wireBytes))
  const signInKB = signInSizes.reduce((total, bytes) => total + bytes / 1_000, 0)
  const shell = await shellFiles()
  const shellKB = (await Promise.all(shell.map(wireBytes))).reduce((total, bytes) => total + bytes / 1_000, 0)
  const sum = (kind: RegExp) => sizes.reduce((total, { file, kB }) => total + (kind.test(file) ? kB : 0), 0)
  return {
    measures: [
      { name: "broker's way, all files", value: sum(/./), unit: 'kB', limit: LIMITS_KB.total },
      { name: "broker's way, JavaScript", value: sum(/\.js$/), unit: 'kB', limit: LIMITS_KB.js },
      { name: 'sign-in page, JavaScript', value: signInKB, unit: 'kB', limit: LIMITS_KB.signIn },
      { name: "broker's way, CSS", value: sum(/\.css$/), unit: 'kB', limit: LIMITS_KB.css },
      { name: "broker's way, fonts", value: sum(/\.woff2$/), unit: 'kB', limit: LIMITS_KB.font },
      { name: "broker's way, files", value: files.size, unit: '', limit: MAX_FILES },
      {
        name: 'service worker',
        value: (await wireBytes(WORKER)) / 1_000,
        unit: 'kB',
        limit: LIMITS_KB.worker,
      },
      { name: 'kept for a start without a signal', value: shellKB, unit: 'kB', limit: LIMITS_KB.shell },
    ],
    strangers: [...chunks, ...shell]
      .flatMap((file) => map[file]?.modules ?? [])
      .filter((module) => STRANGERS.test(module)),
    shell,
    chunks: map,
  }
}

/** The files of the screens, with everything loaded together with them. */
function filesOf(map: ChunkMap, screens: readonly string[]): string[] {
  const found = new Set<string>()
  const add = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    map[file]?.imports.forEach(add)
  }
  for (const screen of screens) {
    const file = Object.keys(map).find((name) => map[name]?.modules.includes(screen))
    if (file === undefined) throw new Error(`${screen} is in no chunk: mend SCREENS`)
    add(file)
  }
  return [...found]
}

/** The files that the service worker loads after its registration, from the list in it. */
async function shellFiles(): Promise<string[]> {
  const worker = await readFile(path.join(inRoot('dist/client'), WORKER), 'utf8')
  const files = [...worker.matchAll(/"url":"([^"]+)"/g)].flatMap(([, file]) => file ?? [])
  if (files.length === 0) throw new Error(`${WORKER} lists no file: mend the pattern`)
  return files
}

/** As served: the Brotli copy if there is one. */
async function wireBytes(file: string): Promise<number> {
  const whole = path.join(inRoot('dist/client'), file)
  return (await stat(`${whole}.br`).catch(() => stat(whole))).size
}
