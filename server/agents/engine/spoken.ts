// Extracts the part of a model's text that a lead may see: no reasoning, no control tokens, no Markdown that
// WhatsApp lacks.
import type { ToolCall } from './answer.ts'
import { takeTextCalls, type Tool } from './text-calls.ts'

export type Spoken =
  | { kind: 'words'; text: string; toolCalls: ToolCall[]; hasReasoned: boolean }
  | { kind: 'fault'; fault: 'only-reasoning' | 'unreadable' }

/** If text and markup cannot be told apart, there is no text, so that half an answer is never sent. */
export function readSpoken(raw: string, tools: readonly Tool[]): Spoken {
  const { text: channel, hasReasoned: isChanneled } = finalChannel(raw)
  const { text: said, hasReasoned } = withoutReasoning(channel)
  const taken = takeTextCalls(said, tools)
  const text = taken && withoutForm(taken.text)
  if (taken === null || text === null) return { kind: 'fault', fault: 'unreadable' }
  if (text === '' && taken.calls.length === 0 && (hasReasoned || isChanneled))
    return { kind: 'fault', fault: 'only-reasoning' }
  return { kind: 'words', text, toolCalls: taken.calls, hasReasoned: hasReasoned || isChanneled }
}

const FINAL = /<\|channel\|>\s*final\b[^<]*<\|message\|>([\s\S]*?)(?:<\|(?:return|end|start)\|>|$)/
const TOOL_CHANNEL = /<\|channel\|>[^<]*\bto=/

/** gpt-oss writes reasoning and answer into channels; tool calls in them are read later. */
function finalChannel(raw: string): { text: string; hasReasoned: boolean } {
  if (!raw.includes('<|channel|>')) return { text: raw, hasReasoned: false }
  if (TOOL_CHANNEL.test(raw)) return { text: raw.slice(raw.search(TOOL_CHANNEL)), hasReasoned: true }
  return { text: FINAL.exec(raw)?.[1] ?? '', hasReasoned: true }
}

const THOUGHT = 'think(?:ing)?|thoughts?|reason(?:ing)?|reflect(?:ion)?|analysis|scratchpad|seed:think'
const OPENS = String.raw`(?:<(?:${THOUGHT})\b[^>]*>|\[THINK\]|◁think▷|<\|begin_of_thought\|>)`
const CLOSES = String.raw`(?:<\/(?:${THOUGHT})\s*>|\[\/THINK\]|◁\/think▷|<\|end_of_thought\|>)`
const WHOLE = new RegExp(String.raw`${OPENS}(?:(?!${OPENS})[\s\S])*?${CLOSES}`, 'gi')
const TO_THE_CLOSE = new RegExp(String.raw`^[\s\S]*${CLOSES}`, 'i')
const FROM_THE_OPEN = new RegExp(String.raw`${OPENS}[\s\S]*$`, 'i')
/** The chat template has removed the first characters of the opening tag. */
const CUT_OPEN = /^\s*(?:<?t?hink|hink|<think)>[\s\S]*$/i
const CUT_END = /<\/?t(?:h(?:i(?:n(?:k(?:i(?:n(?:g)?)?)?)?)?)?)?$/i

function withoutReasoning(raw: string): { text: string; hasReasoned: boolean } {
  const text = raw
    .replace(WHOLE, '')
    .replace(TO_THE_CLOSE, '')
    .replace(FROM_THE_OPEN, '')
    .replace(CUT_OPEN, '')
    .replace(CUT_END, '')
  // Text before reasoning that never ended may be half a sentence.
  const isHalf = text.trim() !== '' && raw.trimStart().startsWith(text.trim()) && !/[.!?…)]\s*$/.test(text)
  const hasReasoned = text.length !== raw.length
  return { text: hasReasoned && isHalf ? '' : text, hasReasoned }
}

const CONTROL = String.raw`(?:<\|[^|>\n]{1,40}\|>|<｜[^｜>\n]{1,40}｜>|<\/?s>|\[\/?INST\]|<(?:bos|eos|pad|unk)>|<start_of_turn>|<end_of_turn>)`
const BEGINS = new RegExp(String.raw`^(?:\s*${CONTROL}\s*(?:assistant|model)?\s*(?=\S|$))+`)
const ENDS = new RegExp(String.raw`(?:\s*${CONTROL})+\s*$`)
const INSIDE = new RegExp(CONTROL)
/** Tags that wrap a whole answer. */
const WRAPPED =
  /^\s*<(lead|assistant|assistente|resposta|answer|response|output|final|final_answer|mensagem|message)>([\s\S]*)<\/\1>\s*$/i
const ROLE =
  /^\s*[*_]*(?:assistente|assistant|agente|atendente|resposta|response|answer|bot|ai|ia|modelo)(?: virtual| final)?[*_]*\s*:[*_]*\s*/i
/** The model continued with an invented message of the lead. */
const DIALOGUE = /^\s*[*_]*(?:lead|usu[aá]rio|user|human[oa]?|system|sistema|assistente|assistant)[*_]*\s*:/im
const TABLE = /^\s*\|?(?:\s*:?-{3,}:?\s*\|)+/m
const TAG = /<\/?[a-z][\w:-]*(?:\s[^<>]*)?\/?>/i

/** Null: words would be lost with the markup. */
function withoutForm(raw: string): string | null {
  const bare = raw.replace(BEGINS, '').replace(ENDS, '')
  const unwrapped = unwrap(bare).replace(ROLE, '').replace(ENDS, '')
  const text = inWhatsapp(unwrapped)
  return INSIDE.test(text) ||
    DIALOGUE.test(text) ||
    TABLE.test(text) ||
    TAG.test(text) ||
    text.includes('```')
    ? null
    : text
}

function unwrap(text: string): string {
  const inner =
    WRAPPED.exec(text)?.[2] ??
    /^\s*```(?:text|txt|markdown|md|plaintext)?\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1]
  const words = inner ?? text
  return /^\s*["“][^"“”]*["”]\s*$/.test(words) ? words.trim().slice(1, -1) : words
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  nbsp: ' ',
  lt: '<',
  gt: '>',
  '#39': "'",
}

/** Converts Markdown and equivalent HTML tags to WhatsApp's markup; *bold* is the same. */
const inWhatsapp = (text: string) =>
  text
    .replace(/<br\s*\/?>|<\/p>\s*<p>/gi, '\n')
    .replace(/<\/?p>/gi, '')
    .replace(/<(b|strong)>([^<]*)<\/\1>/gi, '*$2*')
    .replace(/<(i|em)>([^<]*)<\/\1>/gi, '_$2_')
    .replace(/^[ \t]{0,3}#{1,6}[ \t]+(.+?)[ \t]*#*$/gm, '$1')
    .replace(/^[ \t]*(?:[-*_=][ \t]*){3,}$/gm, '')
    .replace(/^([ \t]*)[*+][ \t]+/gm, '$1- ')
    .replace(/\*\*\*?(?=\S)([^\n]*?\S)\*\*\*?/g, '*$1*')
    .replace(/(?<![\w_])__(?=\S)([^\n]*?\S)__(?![\w_])/g, '*$1*')
    .replace(/~~(?=\S)([^\n]*?\S)~~/g, '~$1~')
    .replace(/!?\[([^\]\n]+)\]\((https?:[^\s)]+)\)/g, (_, shown: string, link: string) =>
      link.includes(shown) ? link : `${shown}: ${link}`,
    )
    .replace(/\\([*_#\-.!$()[\]~`])/g, '$1')
    .replace(/&(amp|quot|nbsp|lt|gt|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
