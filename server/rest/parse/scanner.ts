// A cursor over one query-string value that reports where reading failed as PostgREST's parser does.
import { RestError } from '../errors.ts'

/** PGRST100: the text is not written as the grammar has it. */
export class UnreadError extends RestError {
  constructor(message: string, details: string) {
    super({ status: 400, code: 'PGRST100', message, details })
  }
}

export class Scanner {
  readonly text: string
  readonly #label: string
  #at = 0

  /** `label` is what an error calls the text, for example `failed to parse filter (eq)`. */
  constructor(text: string, label: string) {
    this.text = text
    this.#label = label
  }

  get isAtEnd(): boolean {
    return this.#at >= this.text.length
  }

  /** The next character, or '' at the end. */
  get next(): string {
    return this.text.charAt(this.#at)
  }

  isAt(token: string): boolean {
    return this.text.startsWith(token, this.#at)
  }

  /** Steps over `token` when it comes next. */
  take(token: string): boolean {
    if (!this.isAt(token)) return false
    this.#at += token.length
    return true
  }

  expect(token: string, expecting = `"${token}"`): void {
    if (!this.take(token)) this.fail(expecting)
  }

  /** Steps over what the sticky `pattern` matches here; null and no step when it does not. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.text)
    if (found) this.#at += found[0].length
    return found
  }

  skipBlanks(): void {
    this.match(/[ \t]*/y)
  }

  /** Runs `read`; steps back to here when it answers null. */
  attempt<T>(read: () => T | null): T | null {
    const start = this.#at
    const result = read()
    if (result === null) this.#at = start
    return result
  }

  expectEnd(expecting = 'end of input'): void {
    if (!this.isAtEnd) this.fail(expecting)
  }

  fail(expecting: string): never {
    const found = this.isAtEnd ? 'end of input' : JSON.stringify(this.next)
    throw new UnreadError(
      `${JSON.stringify(this.#label)} (line 1, column ${this.#at + 1})`,
      `unexpected ${found} expecting ${expecting}`,
    )
  }
}
