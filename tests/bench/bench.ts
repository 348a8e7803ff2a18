// The parts of `npm run bench`, their order, and the printed table.
import { measureAgent } from './agent.ts'
import { measureAttacks } from './attacks.ts'
import { measureBoard } from './board.ts'
import { measureBrowser } from './browser.ts'
import { measureBundle } from './bundle.ts'
import { measureCampaign } from './campaign.ts'
import { measureCrowd } from './crowd.ts'
import { measureDashboard } from './dashboard.ts'
import { measureFeed } from './feed.ts'
import { embeddedEngine, serverEngine, type Engine } from './engines.ts'
import { measureGrowth } from './growth.ts'
import { measureImport } from './import.ts'
import { measureJobs } from './jobs.ts'
import { measureIngest } from './ingest.ts'
import { measureIntake } from './intake.ts'
import { measureWriters } from './writers.ts'
import { isWithin, toTable, type Measure } from './measure.ts'
import { measureOutages } from './outages.ts'
import { measurePortal } from './portal.ts'
import { measureReminders } from './reminders.ts'
import { measureRotation } from './rotation.ts'
import { measureRestart } from './restart.ts'
import { measureServer } from './server.ts'
import { measureSweep } from './sweep.ts'
import { measureSoak, type SoakPlan } from './soak.ts'

/** In the order in which they run; parts of an engine run on each. */
const IN_BROWSER = { browser: measureBrowser, restart: measureRestart, board: measureBoard }
const ON_ENGINE = {
  portal: measurePortal,
  server: measureServer,
  ingest: measureIngest,
  writers: measureWriters,
  rotation: measureRotation,
  dashboard: measureDashboard,
  campaign: measureCampaign,
}
/** Run by name only, because they need their own boards and take minutes. */
const BY_NAME = {
  agent: measureAgent,
  attacks: measureAttacks,
  crowd: measureCrowd,
  feed: measureFeed,
  growth: measureGrowth,
  intake: measureIntake,
  import: measureImport,
  jobs: measureJobs,
  reminders: measureReminders,
  sweep: measureSweep,
}

const ENGINES = { embedded: embeddedEngine, postgres: serverEngine }

/** Prints the table of the named parts and engines, or of all; returns whether all are within their limits. */
export async function bench(words: readonly string[]): Promise<boolean> {
  const engines = Object.entries(ENGINES).filter(([name]) => words.includes(name))
  const parts = words.filter((word) => !Object.hasOwn(ENGINES, word))
  const known = ['bundle', ...Object.keys(IN_BROWSER), ...Object.keys(ON_ENGINE), ...Object.keys(BY_NAME)]
  const unknown = parts.filter((part) => !known.includes(part))
  if (unknown.length > 0) throw new Error(`no part ${unknown.join(', ')}: ${known.join(', ')}`)
  const isWanted = ([part]: [string, unknown]) => parts.length === 0 || parts.includes(part)
  const measures: Measure[] = []
  let strangers: string[] = []
  if (isWanted(['bundle', null])) {
    const bundle = await measureBundle()
    measures.push(...bundle.measures)
    strangers = bundle.strangers
  }
  for (const [part, measure] of Object.entries(IN_BROWSER).filter(isWanted)) {
    console.log(`measuring in Chromium: ${part} …`)
    const found = await measure()
    // At once, because a part may take half an hour, and the next one may fail.
    console.log(toTable(found))
    measures.push(...found)
  }
  const onEngine = [
    ...Object.entries(ON_ENGINE).filter(isWanted),
    ...Object.entries(BY_NAME).filter(([part]) => parts.includes(part)),
  ]
  for (const [, make] of onEngine.length > 0
    ? engines.length > 0
      ? engines
      : Object.entries(ENGINES)
    : []) {
    const engine = await make()
    if (engine) measures.push(...(await measureOn(engine, onEngine)))
    else console.log('no Postgres 15 or newer here: its measures are left out')
  }
  console.log(toTable(measures))
  for (const stranger of strangers) console.log(`on the broker's way, but must not be: ${stranger}`)
  return strangers.length === 0 && measures.every(isWithin)
}

async function measureOn(
  engine: Engine,
  parts: [string, (engine: Engine) => Promise<Measure[]>][],
): Promise<Measure[]> {
  const measures: Measure[] = []
  try {
    for (const [part, measure] of parts) {
      console.log(`measuring on ${engine.name}: ${part} …`)
      measures.push(...(await measure(engine)))
    }
    return measures
  } finally {
    await engine.remove()
  }
}

/** What people see of outages, on each engine in turn. */
export async function outages(minutes: number): Promise<boolean> {
  const measures: Measure[] = []
  for (const make of [embeddedEngine, serverEngine]) measures.push(...(await measureOutages(make, minutes)))
  console.log(toTable(measures))
  return measures.every(isWithin)
}

/** Runs the soak test alone, on each engine in turn. Answers whether all limits held. */
export async function soak(plan: SoakPlan): Promise<boolean> {
  const measures: Measure[] = []
  for (const make of [embeddedEngine, serverEngine]) {
    const engine = await make()
    if (!engine) continue
    console.log(`soaking on ${engine.name} …`)
    try {
      measures.push(...(await measureSoak(engine, plan)))
    } finally {
      await engine.remove()
    }
  }
  console.log(toTable(measures))
  return measures.every(isWithin)
}
