// What /test-supabase checks: does the server answer, and what does it say of itself. Spec 2.1; PRODUCT.md 3.
import { useQuery } from '@tanstack/react-query'
import { type Health, healthQuery, recentLog } from '#data/diagnostics.ts'
import { useSession } from '#data/session.ts'
import { countOf, formatDateTime } from '#domain/format.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'

/** How the gateway last answered, as a person reads it (server/ports.ts). */
const GATEWAY: Readonly<Record<string, string>> = {
  none: 'Não configurado',
  unknown: 'Verificando...',
  ok: 'Acessível',
  unreachable: 'Sem resposta',
  unsupported: 'Versão não suportada',
  unlicensed: 'Servidor não ativado',
  unauthorized: 'Chave recusada',
  failed: 'Com erro',
  refused: 'Pedido recusado',
}

export function Diagnostics() {
  const { data: health, isPending, isFetching, refetch } = useQuery(healthQuery())
  const session = useSession()
  const isReachable = health !== undefined
  return (
    <div className="flex flex-col gap-6">
      <dl aria-live="polite" aria-busy={isFetching} className="rounded-lg bg-surface px-4 shadow-card">
        <Check
          name="Servidor"
          isGood={isPending ? null : isReachable}
          words={isReachable ? 'Acessível' : 'Sem resposta'}
        />
        {health && <ServerChecks health={health} />}
        {health && session.status === 'in' && <Details health={health} username={session.user.username} />}
      </dl>
      <Button variant="line" busy={isFetching && 'Verificando...'} onClick={() => void refetch()}>
        Verificar de novo
      </Button>
      <RecentLog />
    </div>
  )
}

function ServerChecks({ health }: { health: Health }) {
  const isDatabaseUp = health.database === 'ok'
  return (
    <Check name="Banco de dados" isGood={isDatabaseUp} words={isDatabaseUp ? 'Acessível' : 'Sem resposta'} />
  )
}

function Details({ health, username }: { health: Health; username: string }) {
  return (
    <>
      <Row name="WhatsApp">{GATEWAY[health.gateway] ?? health.gateway}</Row>
      {health.webhook && (
        <Row name="Eventos do WhatsApp">
          {countOf(health.webhook.waiting, 'por aplicar', 'por aplicar')},{' '}
          {countOf(health.webhook.setAside, 'não lido', 'não lidos')}
        </Row>
      )}
      <Row name="Versão">{health.version}</Row>
      <Row name="Sessão">{username}</Row>
    </>
  )
}

function Check({ name, isGood, words }: { name: string; isGood: boolean | null; words: string }) {
  return (
    <Row name={name}>
      {isGood === null ? (
        <Badge tone="neutral">Verificando...</Badge>
      ) : (
        <Badge tone={isGood ? 'success' : 'danger'}>{words}</Badge>
      )}
    </Row>
  )
}

function Row({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex min-h-12 items-center justify-between gap-4 border-b border-border last:border-b-0">
      <dt className="text-text-2">{name}</dt>
      <dd className="min-w-0 text-right font-medium wrap-anywhere">{children}</dd>
    </div>
  )
}

function RecentLog() {
  const lines = recentLog()
  if (lines.length === 0) return null
  return (
    <section>
      <h2 className="mb-2 text-16 font-semibold">Registro deste aparelho</h2>
      <ul className="flex flex-col gap-1 text-13 text-text-2">
        {lines.map(({ atMs, level, event, detail }) => (
          <li key={`${atMs} ${event} ${detail}`} className="wrap-anywhere">
            <time dateTime={new Date(atMs).toISOString()} className="tabular-nums">
              {formatDateTime(atMs)}
            </time>{' '}
            {level} {event} {detail}
          </li>
        ))}
      </ul>
    </section>
  )
}
