// /api/assist: the assistant's functions for everybody who may write to a lead.
import { Hono } from 'hono'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import { jsonOf, limitBody, signedIn, type Asking, type Signed } from '#server/http/requests.ts'
import type { RateLimit } from '#server/http/rate-limit.ts'
import type { Assist } from './suggest.ts'
import type { createSummaries } from './summary.ts'
import type { Transcripts } from './transcripts.ts'

const MAX_BODY_BYTES = 1024
const Own = v.object({ isOn: v.boolean() })

type AssistParts = {
  assist: Assist
  transcripts: Transcripts
  summarize: ReturnType<typeof createSummaries>
}

export function createAssistRoutes(
  { assist, transcripts, summarize }: AssistParts,
  { memberOf, rateLimit }: { memberOf: (request: Request) => Promise<Asking>; rateLimit: RateLimit },
): Hono<Signed> {
  const routes = new Hono<Signed>()
  routes.use(signedIn(memberOf))
  // Answers {suggestion: {id, text, sources, model} or null, isBeingWritten: another device asked first, ask
  // again}.
  routes.post('/:contactId{[0-9]{1,15}}/suggestion', rateLimit('assist'), async (context) =>
    context.json(await assist.suggest(context.var.claims, Number(context.req.param('contactId')))),
  )
  routes.get('/:contactId{[0-9]{1,15}}/handover', async (context) =>
    context.json(await assist.passing(context.var.claims, Number(context.req.param('contactId')))),
  )
  routes.post('/:contactId{[0-9]{1,15}}/give-back', rateLimit('assist'), async (context) =>
    context.json(await assist.giveBack(context.var.claims, Number(context.req.param('contactId')))),
  )
  // Answers {text, model, messages}; nothing is stored or sent.
  routes.post('/:contactId{[0-9]{1,15}}/summary', rateLimit('assist'), async (context) =>
    context.json(await summarize(context.var.claims, Number(context.req.param('contactId')))),
  )
  routes.get('/voice', (context) => context.json({ canTranscribe: transcripts.canTranscribe }))
  routes.post('/voice/:messageId{[0-9]{1,15}}', rateLimit('assist'), async (context) =>
    context.json({
      text: await transcripts.transcript(context.var.claims, Number(context.req.param('messageId'))),
    }),
  )
  routes.get('/own', async (context) => context.json(await assist.own(context.var.claims)))
  routes.post('/own', limitBody(MAX_BODY_BYTES), async (context) => {
    const body = v.safeParse(Own, await jsonOf(context))
    if (!body.success)
      throw new PortalError('request.invalid', 'O pedido não está completo.', { status: 422 })
    await assist.setOwn(context.var.claims, body.output.isOn)
    return context.json({})
  })
  routes.post('/suggestions/:id{[0-9]{1,15}}/dismiss', async (context) => {
    await assist.dismiss(context.var.claims, Number(context.req.param('id')))
    return context.json({})
  })
  return routes
}
