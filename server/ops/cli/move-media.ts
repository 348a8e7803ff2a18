// `npm run move-media`: media carried from the folder or the database into the bucket of S3_*, and with --back home
// again, while people work; the source lets them go once nobody reads it any more.
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { countOf, formatNumber } from '#domain/count.ts'
import { PortalError } from '#domain/errors.ts'
import { systemClock, type Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { databaseFolder, dataDirOf } from '#server/db/open.ts'
import { isLocked } from '#server/db/pglite/directory-lock.ts'
import { createLog } from '#server/log.ts'
import { mediaOf } from '#server/ops/backup/archive.ts'
import { readSettings } from '#server/settings.ts'
import type { BucketStore } from '#server/storage/bucket/bucket.ts'
import { wordsOf } from '#server/storage/bucket/faults.ts'
import {
  carryAll,
  carryHome,
  carryOut,
  isAllCarried,
  joinTallies,
  type Tally,
} from '#server/storage/carry.ts'
import { createDatabaseStore } from '#server/storage/database.ts'
import { openFolderStore } from '#server/storage/folder.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { forgetPlace, openBucket, placeOf, readPlace, recordPlace, unusable } from '#server/storage/open.ts'
import { withDatabase, type CommandOptions } from './with-database.ts'

const USAGE = 'npm run move-media (para o depósito de S3_*) ou npm run move-media -- --back (de volta)'

type Options = CommandOptions & {
  /** Prints a line on the terminal while files are moved. */
  say?: (line: string) => void
  clock?: Clock
}

type Ends = {
  clock: Clock
  isBack: boolean
  bucket: BucketStore
  /** The place of media without a bucket. */
  home: MediaStore
  /** The bucket's address, as portals record it. */
  place: string
  say: (line: string) => void
}

/**
 * Answers what was moved. Raises PortalError for what the operator must mend; a repeat continues where this run ended.
 */
export async function runMoveMedia(
  args: string[],
  { say = () => undefined, clock = systemClock, ...options }: Options,
): Promise<string> {
  const isBack = readDirection(args)
  const settings = readSettings(process.env)
  const { bucket } = settings
  if (!bucket)
    throw new PortalError(
      'move.no-bucket',
      'Defina S3_ENDPOINT e as outras variáveis S3_* para este comando.',
    )
  const dataDir = dataDirOf(settings)
  const ends = async (db: Pick<Database, 'engine' | 'query' | 'transaction'> | null): Promise<Ends> => ({
    isBack,
    bucket: await openProven({ clock, log: createLog('error'), bucket, db }),
    home: db?.engine === 'postgres' ? createDatabaseStore(db) : await openFolderStore(mediaOf(dataDir)),
    place: placeOf(bucket),
    say,
    clock,
  })

  if (settings.databaseUrl !== undefined)
    return withDatabase(options, async ({ db }) => moveRows(await ends(db), db))
  const folder = databaseFolder(dataDir)
  if (!existsSync(folder)) throw new PortalError('move.nothing', `Não há banco de dados em ${dataDir}.`)
  return isLocked(folder)
    ? copyFiles(await ends(null))
    : withDatabase(options, async ({ db }) => moveFiles(await ends(db), db))
}

function readDirection(args: string[]): boolean {
  try {
    return parseArgs({ args, options: { back: { type: 'boolean', default: false } } }).values.back
  } catch (cause) {
    throw new PortalError('move.usage', USAGE, { cause })
  }
}

async function openProven(parts: Parameters<typeof openBucket>[0]): Promise<BucketStore> {
  const bucket = openBucket(parts)
  const fault = await bucket.prove()
  if (fault) throw unusable(wordsOf(fault), fault)
  return bucket
}

/**
 * Only copies, because a portal holds the embedded database and reads only one of the two places. A file that is
 * erased meanwhile is found by the portal's daily sweep of the new place.
 */
async function copyFiles(ends: Ends): Promise<string> {
  const tally = await carryAll({ ...wayOf(ends, null), isCleared: false })
  return reportOf(
    ends,
    tally,
    `O portal está em funcionamento, e nada foi tirado do lugar de antes. Pare-o, rode este comando de novo (leva o que falta) e inicie-o ${ends.isBack ? 'sem' : 'com'} as variáveis S3_*.`,
  )
}

async function moveFiles(ends: Ends, db: Database): Promise<string> {
  // Files that wait in the database for the bucket are moved, too.
  const rows = createDatabaseStore(db)
  const carry = ends.isBack ? carryHome(rows, ends.home) : carryOut(rows, ends.bucket)
  const way = { ...wayOf(ends, db), isCleared: true }
  const waiting = await carryAll({ ...way, source: rows, carry })
  const tally = joinTallies(waiting, await carryAll(way))
  if (!ends.isBack) await recordPlace(db, ends.place)
  else if (isAllCarried(tally)) await forgetPlace(db)
  return reportOf(ends, tally, `Inicie o portal ${ends.isBack ? 'sem' : 'com'} as variáveis S3_*.`)
}

async function moveRows(ends: Ends, db: Database): Promise<string> {
  const known = await readPlace(db)
  if (ends.isBack && known !== null && known !== ends.place)
    throw new PortalError(
      'move.other-bucket',
      `As mídias deste portal estão em ${known}, e não em ${ends.place}.`,
    )
  // Portals that recorded this bucket read both places; without a record nobody reads the bucket.
  const isCleared = ends.isBack || known === ends.place
  const tally = await carryAll({ ...wayOf(ends, db), isCleared })
  if (ends.isBack && isAllCarried(tally)) await forgetPlace(db)
  if (ends.isBack)
    return reportOf(
      ends,
      tally,
      'Se algum portal ainda usa o depósito, pare-o e rode este comando de novo (traz o que chegou por último). Depois inicie os portais sem as variáveis S3_*.',
    )
  return reportOf(
    ends,
    tally,
    !isCleared &&
      'As cópias no banco ficaram, porque os portais leem só dali: inicie-os com as variáveis S3_* e rode este comando de novo.',
  )
}

function wayOf({ isBack, bucket, home, say, clock }: Ends, db: Pick<Database, 'query'> | null) {
  return {
    source: isBack ? bucket : home,
    carry: isBack ? carryHome(bucket, home) : carryOut(home, bucket),
    clock,
    onGone: async (id: string) => db?.query('select portal.note_orphaned_media(array[$1::text])', [id]),
    onGroup: ({ carried, there }: Tally) => say(`${countOf(carried + there, 'mídia', 'mídias')}…`),
  }
}

function reportOf({ isBack, place }: Ends, tally: Tally, next: string | false): string {
  const { carried, there, left, damaged } = tally
  return [
    `Mídias ${isBack ? 'trazidas de' : 'levadas a'} ${place}: ${formatNumber(carried)}; já ${isBack ? 'aqui' : 'ali'}: ${formatNumber(there)}. Conferidas pelo SHA-256.`,
    left > 0 &&
      `Ainda nos dois lugares, por serem de agora há pouco: ${left}. Rode de novo daqui a um minuto.`,
    damaged.length > 0 && `Não são o que o nome diz e ficaram onde estavam: ${damaged.join(', ')}.`,
    next,
  ]
    .filter(Boolean)
    .join('\n')
}
