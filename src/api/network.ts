// The app's only fetch. It has a time limit, and Portuguese error texts for network and server faults.
import { PortalError } from '#domain/errors.ts'
import { countOf } from '#domain/count.ts'
import { noteServerTime } from './clock.ts'

const TIMEOUT_MS = 20_000

/** Like fetch, but aborts after 20 s. Throws PortalError `network.offline` or `network.timeout`. */
export async function send(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit
  try {
    const response = await fetch(input, { ...init, signal })
    noteServerTime(response)
    return response
  } catch (cause) {
    if (init.signal?.aborted) throw cause
    throw limit.aborted ? timeoutError(cause) : httpError(0, cause)
  }
}

/** The error if no response comes within the time limit. */
export function timeoutError(cause?: unknown): PortalError {
  return new PortalError('network.timeout', 'Sinal fraco. Tente de novo.', { status: 0, cause })
}

/** Returns the error for a failed response that has no Portuguese text of its own. */
export function httpError(status: number, cause?: unknown): PortalError {
  if (status === 0)
    return new PortalError('network.offline', 'Sem conexão. Tente de novo quando a internet voltar.', {
      status,
      cause,
    })
  if (status === 401)
    return new PortalError('session.lost', 'Sua sessão expirou. Entre de novo.', { status, cause })
  if (status === 403)
    return new PortalError('access.denied', 'Você não tem acesso a isto.', { status, cause })
  if (status >= 500)
    return new PortalError('server.failed', 'O servidor não respondeu. Tente de novo em instantes.', {
      status,
      cause,
    })
  return new PortalError('request.refused', 'O pedido não foi aceito.', { status, cause })
}

/** Returns the error for a 429; its text gives the wait in whole minutes. */
export function throttledError(retryAfter: string | null): PortalError {
  const minutes = Math.max(1, Math.ceil(Number(retryAfter ?? 60) / 60) || 1)
  return new PortalError(
    'request.throttled',
    `Muitas tentativas. Tente de novo em ${countOf(minutes, 'minuto', 'minutos')}.`,
    { status: 429 },
  )
}
