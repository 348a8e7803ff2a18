// What `npm run bench` measures, in order, and what it prints.
import { measureBoard } from './board.ts'
import { measureBrowser } from './browser.ts'
import { measureBundle } from './bundle.ts'
import { measureCampaign } from './campaign.ts'
import { measureDashboard } from './dashboard.ts'
import { embeddedEngine, serverEngine, type Engine } from './engines.ts'
import { measureIngest } from './ingest.ts'
import { isWithin, toTable, type Measure } from './measure.ts'
import { measurePortal } from './portal.ts'
import { measureRotation } from './roleta.ts'
import { measureRestart } from './restart.ts'
import { measureSoak, type SoakPlan } from './soak.ts'

/** Prints the table; answers whether all is within its limits. */
export async function bench({ isBundleOnly }: { isBundleOnly: boolean }): Promise<boolean> {
  const { measures, strangers } = await measureBundle()
  if (!isBundleOnly) {
    console.log('measuring in Chromium …')
    measures.push(...(await measureBrowser()), ...(await measureRestart()), ...(await measureBoard()))
    for (const make of [embeddedEngine, serverEngine]) {
      const engine = await make()
      if (engine) measures.push(...(await onEngine(engine)))
      else console.log('no Postgres 15 or newer here: its measures are left out')
    }
  }
  console.log(toTable(measures))
  for (const stranger of strangers) console.log(`on the broker's way, but must not be: ${stranger}`)
  return strangers.length === 0 && measures.every(isWithin)
}

async function onEngine(engine: Engine): Promise<Measure[]> {
  console.log(`measuring on ${engine.name} …`)
  try {
    return [
      ...(await measurePortal(engine)),
      ...(await measureIngest(engine)),
      ...(await measureRotation(engine)),
      ...(await measureDashboard(engine)),
      ...(await measureCampaign(engine)),
    ]
  } finally {
    await engine.remove()
  }
}

/** The same for a soak alone, on each engine in turn. */
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
