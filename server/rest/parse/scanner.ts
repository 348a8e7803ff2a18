// A cursor over a query-string value that reports parse errors as PostgREST does.
import { RestError } from '../errors.ts'

/** PGRST100: the text does not match the grammar. */
export class UnreadError extends RestError {
  constructor(message: string, details: string) {
    super({ status: 400, code: 'PGRST100', message, details })
  }
}

export class Scanner {
  readonly text: string
  readonly #label: string
  #at = 0

  /** `label`: how an error names the text, such as `failed to parse filter (eq)`. */
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

  /** Consumes `token` if it comes next. */
  take(token: string): boolean {
    if (!this.isAt(token)) return false
    this.#at += token.length
    return true
  }

  expect(token: string, expecting = `"${token}"`): void {
    if (!this.take(token)) this.fail(expecting)
  }

  /** Consumes a match of the sticky `pattern`; null without one. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.text)
    if (found) this.#at += found[0].length
    return found
  }

  skipBlanks(): void {
    this.match(/[ \t]*/y)
  }

  /** Runs `read`; goes back if it returns null. */
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
