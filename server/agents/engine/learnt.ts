// Learns from an endpoint's refusals which parameters a model takes. Stored with the model.
import type { EngineError } from './endpoint.ts'

export type Learnt = {
  /** Name of the parameter for the token limit; null: the endpoint has none. */
  tokensName?: 'max_completion_tokens' | null
  hasNoTemperature?: true
  hasNoTools?: true
  /** The model reasons before it answers; that uses tokens of its own. */
  isReasoning?: true
}

/** The lesson of a refusal; null if it has another cause, or teaches nothing new. */
export function lessonOf({ said, param }: EngineError, learnt: Learnt, hasTools: boolean): Learnt | null {
  const words = `${param ?? ''} ${said ?? ''}`
  if (/max_(?:completion_)?tokens/.test(words)) {
    if (learnt.tokensName === null) return null
    return { tokensName: learnt.tokensName === undefined ? 'max_completion_tokens' : null }
  }
  if (/\btemperature\b/.test(words)) return learnt.hasNoTemperature ? null : { hasNoTemperature: true }
  const isOfTools = /\b(?:tools?|tool_choice|function[ -]call(?:ing|s)?)\b|--enable-auto-tool/i.test(words)
  const isUnsupported = /support|unavailable|not (?:available|allowed|enabled)|requires|unknown|unrecogni/i
  if (hasTools && isOfTools && isUnsupported.test(words)) return { hasNoTools: true }
  return null
}
