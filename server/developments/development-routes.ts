// /api/developments: the developments, for administrators. Everyone signed in gets addresses of their files (/files)
// and the index of material that phones keep (/material).
import { Hono, type Context } from 'hono'
import type { Clock } from '#server/clock.ts'
import type { RateLimit } from '#server/http/rate-limit.ts'
import {
  formOf,
  jsonOf,
  limitBody,
  signedIn,
  signedInAdmin,
  type Asking,
  type Signed,
} from '#server/http/requests.ts'
import { packIndex, type PackedIndex } from '#domain/development/material-index.ts'
import type { Role } from '#domain/session.ts'
import type { MediaStore } from '#server/storage/media-store.ts'
import { readArchive, readBind, readFile, readSave, readWish } from './development-input.ts'
import {
  LEAD_LISTS,
  type createDevelopmentStore,
  type LeadList,
  type StoredFile,
} from './development-store.ts'
import { MAX_DOCUMENT_BYTES, requirePdf, storePicture, type MakePicture } from './files.ts'

type Member = Asking & { role: Role; sessionId: string }
type Link = { mediaId: string; sessionId: string; accountId: string; mimeType: string; fileName: string }
export type DevelopmentRouteParts = {
  clock: Clock
  store: ReturnType<typeof createDevelopmentStore>
  storage: MediaStore
  memberOf: (request: Request) => Promise<Member>
  rateLimit: RateLimit
  makePicture: MakePicture
  /** The signed address of a file. */
  linkOf: (link: Link) => string
}

const MAX_BODY_BYTES = 512 * 1024
const FORM_BYTES = 64 * 1024
const MAX_FILES = 150
const MAX_LEADS = 200
/** Maximum bytes of the files of all developments together; a further file is refused. */
const MAX_ALL_BYTES = 4 * 1024 ** 3
const ID = '[0-9]{1,9}'

export function createDevelopmentRoutes(parts: DevelopmentRouteParts): Hono {
  const routes = new Hono()
  routes.route('/files', createFileRoutes(parts))
  routes.route('/material', createMaterialRoutes(parts))
  routes.route('/', createAdminRoutes(parts))
  return routes
}

function createFileRoutes({ store, memberOf, linkOf }: DevelopmentRouteParts): Hono<Signed<Member>> {
  const routes = new Hono<Signed<Member>>()
  routes.use(signedIn(memberOf), limitBody(MAX_BODY_BYTES))
  // Answers {urls}: an address for each id that the caller may read, valid for ten minutes.
  routes.post('/', async (context) => {
    const { claims, member } = context.var
    const { ids, isSmall } = readWish(await jsonOf(context))
    const found = await store.files(claims, ids, isSmall)
    const { sessionId, accountId } = member
    return context.json({
      urls: Object.fromEntries(
        found.map(({ id, mediaId, mimeType, fileName }) => [
          id,
          linkOf({ mediaId, mimeType, fileName, sessionId, accountId }),
        ]),
      ),
    })
  })
  return routes
}

/** Answers {stamp, index}, what every phone keeps; index is left out if `known` is the current stamp. */
function createMaterialRoutes({ store, memberOf }: DevelopmentRouteParts): Hono<Signed<Member>> {
  const routes = new Hono<Signed<Member>>()
  /** All members get the same index, so the portal packs it once for each change. */
  let packed: { stamp: string; index: PackedIndex } | null = null
  routes.use(signedIn(memberOf))
  routes.get('/', async (context) => {
    const { claims } = context.var
    const known = context.req.query('known') ?? null
    let current = packed
    const { stamp, developments } = await store.material(claims, current?.stamp ?? known)
    if (developments) packed = current = { stamp, index: packIndex(developments) }
    return context.json(stamp === known ? { stamp } : (current ?? { stamp }))
  })
  return routes
}

function createAdminRoutes(parts: DevelopmentRouteParts): Hono<Signed<Member>> {
  const { clock, store, memberOf, rateLimit } = parts
  const addFile = createFileAdding(parts)
  const routes = new Hono<Signed<Member>>()
  routes.use(signedInAdmin(memberOf))
  const small = limitBody(MAX_BODY_BYTES)
  const idOf = (context: Context) => Number(context.req.param('id'))
  const save = async (context: Context<Signed<Member>>, id: number | null) => {
    const { operationId, version = null, development: wanted } = readSave(await jsonOf(context))
    return context.json(
      await store.save(context.var.claims, { id, version, wanted, operationId, nowMs: clock.now() }),
    )
  }

  routes.get('/', async (context) =>
    context.json({ developments: await store.list(context.var.claims, clock.now()) }),
  )
  routes.post('/', small, (context) => save(context, null))
  // The names of developments in leads and sources that match none here; the post assigns such a name to one.
  routes.get('/unbound', async (context) => context.json({ texts: await store.unbound(context.var.claims) }))
  routes.post('/unbound', small, async (context) => {
    const { text, id } = readBind(await jsonOf(context))
    return context.json(await store.bind(context.var.claims, text, id))
  })
  routes.get(`/:id{${ID}}`, async (context) =>
    context.json(await store.details(context.var.claims, idOf(context), clock.now())),
  )
  routes.get(`/:id{${ID}}/leads/:list{${LEAD_LISTS.join('|')}}`, async (context) => {
    const list = context.req.param('list') as LeadList
    const asked = { id: idOf(context), list, most: MAX_LEADS, nowMs: clock.now() }
    return context.json({ leads: await store.leads(context.var.claims, asked) })
  })
  routes.post(`/:id{${ID}}/save`, small, (context) => save(context, idOf(context)))
  routes.post(`/:id{${ID}}/archive`, small, async (context) => {
    const { isArchived } = readArchive(await jsonOf(context))
    return context.json(
      await store.archive(context.var.claims, { id: idOf(context), isArchived, nowMs: clock.now() }),
    )
  })
  // A form with `message` ({kind, title, fileName}) and `file`.
  routes.post(
    `/:id{${ID}}/files`,
    rateLimit('upload'),
    limitBody(MAX_DOCUMENT_BYTES + FORM_BYTES),
    async (context) => {
      const { message, bytes } = await formOf(context)
      const { claims } = context.var
      const id = idOf(context)
      // Checked first, so that a refused file is not stored.
      await store.room(claims, id)
      const file = await addFile(readFile(message), bytes)
      return context.json({
        file: await store.addFile(claims, { id, file, maxFiles: MAX_FILES, maxBytes: MAX_ALL_BYTES }),
      })
    },
  )
  return routes
}

/** Stores a photo or drawing in three sizes, or a PDF as it is. */
function createFileAdding({ storage, makePicture }: DevelopmentRouteParts) {
  return async (given: ReturnType<typeof readFile>, bytes: Uint8Array): Promise<StoredFile> => {
    if (given.kind !== 'foto' && given.kind !== 'planta') {
      requirePdf(bytes)
      const mediaId = await storage.put(bytes)
      return {
        ...given,
        mimeType: 'application/pdf',
        sizeBytes: bytes.length,
        mediaId,
        thumbId: null,
        wholeId: null,
        preview: null,
        width: null,
        height: null,
      }
    }
    const { sizeBytes, ...picture } = await storePicture(storage, await makePicture(bytes))
    const fileName = `${given.fileName.replace(/\.[^.]*$/, '') || given.kind}.jpg`
    return {
      ...given,
      fileName,
      mimeType: 'image/jpeg',
      sizeBytes,
      ...picture,
    }
  }
}
