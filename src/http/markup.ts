// HTML in which every value is escaped unless it is markup itself, so that forgetting is impossible.

export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | Markup | readonly Markup[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** A tag for template texts: what stands in the template is markup, what is put into it is text. */
export function markup(texts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(texts.reduce((page, text, index) => page + toText(values[index - 1] ?? '') + text));
}

function toText(value: Value): string {
  if (typeof value === 'string') return escapeHtml(value);
  return value instanceof Markup ? value.text : value.map(toText).join('');
}
