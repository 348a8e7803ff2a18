// /api/prompts: the portal's editor saves, tests and publishes an agent's texts.
import { Hono, type Context } from 'hono'
import * as v from 'valibot'
import { PROMPT_FIELDS, type PromptField } from '#domain/agent/agent.ts'
import { PortalError } from '#domain/errors.ts'
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Database } from '#server/db/database.ts'
import { jsonOf, limitBody, signedInAdmin, type Member, type Signed } from '#server/http/requests.ts'

/** Room for 100,000 characters, which take up to four bytes or six JSON characters each. */
const MAX_BODY_BYTES = 640 * 1024

const TOO_LONG = 'O texto pode ter até 100.000 caracteres.'

const Save = v.object({
  operationId: v.pipe(v.string(), v.uuid()),
  text: v.pipe(v.string(), v.maxLength(100_000)),
  base: v.nullable(v.pipe(v.number(), v.safeInteger())),
})
const Publish = v.object({ mark: v.pipe(v.string(), v.maxLength(64)), isAskedTwice: v.boolean() })

/** The text that the editor starts from; `version`, `by` and `at` are null if nothing was ever saved. */
type StandingText = {
  text: string
  version: number | null
  isDraft: boolean
  by: string | null
  at: string | null
}

type Place = { id: number; field: string }

function createDraftStore(db: Database) {
  const ask = createAsking(db)
  return {
    drafts: (claims: Claims, id: number) =>
      ask.one<Partial<Record<PromptField, string>>>(claims, 'select portal.drafts_of($1) as answer', [id]),
    /** Raises `prompt.unknown`. */
    standing: (claims: Claims, id: number, field: string) =>
      ask.one<StandingText>(claims, 'select portal.standing_prompt($1, $2) as answer', [id, field]),
    save: (claims: Claims, { id, field }: Place, draft: v.InferOutput<typeof Save>) =>
      ask.one<StandingText & { code: 'saved' | 'already' | 'conflict' }>(
        claims,
        'select portal.save_draft($1, $2, $3, $4, $5) as answer',
        [id, field, draft.text, draft.base, draft.operationId],
      ),
    /** Raises `draft.none`, `draft.changed`, `draft.overtaken`, `draft.untested` and `draft.failing`. */
    publish: (claims: Claims, id: number, { mark, isAskedTwice }: v.InferOutput<typeof Publish>) =>
      ask.one<unknown>(claims, 'select portal.publish_drafts($1, $2, $3) as answer', [
        id,
        mark,
        isAskedTwice,
      ]),
    discard: (claims: Claims, id: number) =>
      ask.one<unknown>(claims, 'select portal.discard_drafts($1) as answer', [id]),
  }
}

export function createDraftRoutes(
  db: Database,
  memberOf: (request: Request) => Promise<Member>,
): Hono<Signed<Member>> {
  const store = createDraftStore(db)
  const routes = new Hono<Signed<Member>>()
  routes.use(signedInAdmin(memberOf), limitBody(MAX_BODY_BYTES))
  const agentId = (context: Context) => Number(context.req.param('id'))
  const field = (context: Context) => context.req.param('field') ?? ''

  // The drafts, by column.
  routes.get('/:id{[0-9]{1,9}}', async (context) =>
    context.json(await store.drafts(context.var.claims, agentId(context))),
  )
  routes.post('/:id{[0-9]{1,9}}/discard', async (context) => {
    await store.discard(context.var.claims, agentId(context))
    return context.json({})
  })
  routes.post('/:id{[0-9]{1,9}}/publish', async (context) => {
    await store.publish(context.var.claims, agentId(context), await read(context, Publish))
    return context.json({})
  })
  routes.get(`/:id{[0-9]{1,9}}/${FIELD}`, async (context) =>
    context.json(await store.standing(context.var.claims, agentId(context), field(context))),
  )
  routes.post(`/:id{[0-9]{1,9}}/${FIELD}`, async (context) =>
    context.json(
      await store.save(
        context.var.claims,
        { id: agentId(context), field: field(context) },
        await read(context, Save),
      ),
    ),
  )
  return routes
}

const FIELD = `:field{${PROMPT_FIELDS.join('|')}}`

async function read<T>(context: Context, schema: v.GenericSchema<unknown, T>): Promise<T> {
  const body = v.safeParse(schema, await jsonOf(context))
  if (!body.success)
    throw new PortalError(
      'request.invalid',
      body.issues[0].type === 'max_length' ? TOO_LONG : 'O pedido não está completo.',
      { status: 422 },
    )
  return body.output
}
