// Tool calls that a model wrote into its text because its server did not parse them: fenced JSON, tags, and
// Python calls.
import { toCall, type ToolCall } from './answer.ts'
import { isRecord, parseJson } from './json.ts'

export type Tool = {
  name: string
  description: string
  /** A JSON schema. */
  parameters: object
}

export type Taken = { text: string; calls: ToolCall[] }

/** Tags around the JSON of a call. */
const TAGGED = /<(tool_calls?|function_calls?|functioncall|tool_use|invoke)>([\s\S]*?)(?:<\/\1>|$)/gi
const TOKENED = /<\|(?:tool_call|python_tag)\|>([\s\S]*?)(?:<\|[^|>]{1,40}\|>|$)/g
/** `<function=name>{…}</function>` and `<function=name><parameter=tema>vaga</parameter></function>`. */
const NAMED_TAG = /<function=([\w.-]+)>([\s\S]*?)(?:<\/function>|$)/g
const PARAMETER = /<parameter=(\w+)>([\s\S]*?)<\/parameter>/g
const MARKED = /\[TOOL_CALLS\]\s*([\s\S]*)$/
const MARKED_NAME = /^([\w.-]+)(?:\[CALL_ID\][\w-]*)?\[ARGS\]\s*([\s\S]*)$/
const HARMONY =
  /<\|channel\|>[^<]*\bto=(?:functions\.)?([\w.-]+)[^<]*(?:<\|constrain\|>\w*)?<\|message\|>([\s\S]*?)(?:<\|[^|>]{1,20}\|>|$)/g
const FENCED = /```[\w-]*\s*([\s\S]*?)```/g
/** Remains of a call that could not be parsed. */
const LEFT_OVER =
  /<\/?(?:tool_\w+|function\w*|invoke|parameter)\b|\[TOOL_CALLS\]|<\|(?:tool|python|call)|"(?:arguments|parameters|tool_calls)"\s*:|\b[a-z]+_[a-z_]+\(|^\s*[[{]\s*["{]/

/** Null: the portal cannot parse a call in the text. */
export function takeTextCalls(raw: string, tools: readonly Tool[]): Taken | null {
  const calls: ToolCall[] = []
  let isBroken = false
  const take = (read: ToolCall[] | null) => {
    if (read === null) isBroken = true
    else calls.push(...read)
    return ''
  }
  const python = pythonOf(tools)
  let text = raw
    .replace(HARMONY, (_, name: string, args: string) => take(callOf(name, parseJson(args))))
    .replace(TAGGED, (_, _tag: string, inner: string) => take(readCalls(inner, tools)))
    .replace(TOKENED, (_, inner: string) => take(readCalls(inner, tools)))
    .replace(NAMED_TAG, (_, name: string, inner: string) => take(tagCall(name, inner)))
    .replace(MARKED, (_, inner: string) => take(markedCall(inner, tools)))
    // A fence around plain words is only markup; spoken.ts removes it.
    .replace(FENCED, (whole: string, inner: string) => {
      const read = readCalls(inner, tools)
      return read === null && !LEFT_OVER.test(inner) ? whole : take(read)
    })
  const whole = readCalls(text, tools)
  if (whole !== null && whole.length > 0) text = take(whole)
  text = text.replace(python, (_, name: string, args: string) => take(pythonCall(name, args, tools)))
  return isBroken ||
    LEFT_OVER.test(text) ||
    tools.some(({ name }) => name.includes('_') && text.includes(name))
    ? null
    : { text, calls }
}

/** Null: the text is no call. */
function readCalls(inner: string, tools: readonly Tool[]): ToolCall[] | null {
  const trimmed = inner.trim()
  const read = parseJson(trimmed)
  if (read !== undefined) return jsonCalls(read)
  if (trimmed.startsWith('<function='))
    return [...trimmed.matchAll(NAMED_TAG)].flatMap(([, name = '', args = '']) => tagCall(name, args) ?? [])
  // Several calls, one a line.
  const lines = trimmed.split('\n').filter((line) => line.trim() !== '')
  const each = lines.map((line) => parseJson(line))
  if (lines.length > 1 && each.every(isRecord)) return jsonCalls(each)
  const calls: ToolCall[] = []
  const left = trimmed.replace(pythonOf(tools), (_, name: string, args: string) => {
    calls.push(...(pythonCall(name, args, tools) ?? []))
    return ''
  })
  return calls.length > 0 && /^[\s,;[\]]*$/.test(left) ? calls : null
}

function jsonCalls(read: unknown): ToolCall[] | null {
  if (Array.isArray(read)) {
    const all = read.map(jsonCalls)
    return all.length > 0 && all.every((calls) => calls !== null) ? all.flat() : null
  }
  if (!isRecord(read)) return null
  if (Array.isArray(read['tool_calls'])) return jsonCalls(read['tool_calls'])
  if (isRecord(read['function'])) return jsonCalls(read['function'])
  const name = NAMES.map((key) => read[key]).find((value) => typeof value === 'string')
  const args = ARGUMENTS.map((key) => read[key]).find((value) => value !== undefined)
  return typeof name === 'string' ? callOf(name, args ?? {}) : null
}
const NAMES = ['name', 'tool', 'tool_name', 'function', 'action']
const ARGUMENTS = ['arguments', 'args', 'parameters', 'input', 'tool_input', 'action_input']

function callOf(name: string, args: unknown): ToolCall[] | null {
  const read = typeof args === 'string' ? parseJson(args) : args
  return /^[\w.-]+$/.test(name) && isRecord(read) ? [toCall(bareName(name), read)] : null
}
const bareName = (name: string) => name.replace(/^(?:functions|default_api)\./, '')

function tagCall(name: string, inner: string): ToolCall[] | null {
  const parameters = [...inner.matchAll(PARAMETER)]
  if (parameters.length > 0)
    return callOf(name, Object.fromEntries(parameters.map(([, key = '', value = '']) => [key, value.trim()])))
  return callOf(name, inner.trim() === '' ? {} : parseJson(inner))
}

/** `[TOOL_CALLS][{…}]` and `[TOOL_CALLS]name[ARGS]{…}`. */
function markedCall(inner: string, tools: readonly Tool[]): ToolCall[] | null {
  const [, name, args = ''] = MARKED_NAME.exec(inner.trim()) ?? []
  return name === undefined ? readCalls(inner, tools) : callOf(name, parseJson(args))
}

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`

/** `[buscar_fatos(tema="vaga")]`, with or without brackets, for existing tools only. */
function pythonOf(tools: readonly Tool[]): RegExp {
  const names = tools.map(({ name }) => name).join('|') || '(?!)'
  return new RegExp(
    String.raw`[\[\s]*(?:print\(\s*)?(?:(?:default_api|functions)\.)?\b(${names})\(((?:${QUOTED}|[^()"'])*)\)\s*\)?[,;\]]*`,
    'g',
  )
}

const PAIR = new RegExp(String.raw`(\w+)\s*[=:]\s*(${QUOTED}|[^,'"]+)`, 'g')

function pythonCall(name: string, inner: string, tools: readonly Tool[]): ToolCall[] | null {
  const pairs = [...inner.matchAll(PAIR)]
  if (/^[\s,]*$/.test(inner.replace(PAIR, '')))
    return callOf(name, Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, unquoted(value)])))
  // A single positional value belongs to the only parameter.
  const only = onlyParameter(tools.find((tool) => tool.name === name))
  const isValue = new RegExp(String.raw`^\s*(?:${QUOTED})\s*$`).test(inner)
  return only !== null && isValue ? callOf(name, { [only]: unquoted(inner) }) : null
}

const unquoted = (value: string) =>
  value
    .trim()
    .replace(/^(["'])([\s\S]*)\1$/, '$2')
    .replace(/\\(["'\\])/g, '$1')

function onlyParameter(tool: Tool | undefined): string | null {
  const properties = tool && 'properties' in tool.parameters ? tool.parameters.properties : null
  const names = isRecord(properties) ? Object.keys(properties) : []
  return names.length === 1 ? (names[0] ?? null) : null
}
