// Whether what somebody wrote makes a survey. Pure; hands back what to store.
import { randomUUID } from 'node:crypto';
import { readFilters } from '../flags/evaluation/definition.ts';
import { invalid } from '../http/errors.ts';
import { isDict, parseUuid } from '../http/fields.ts';
import { sanitizeHtml } from './sanitize-html.ts';

type Dict = Record<string, unknown>;

const QUESTION_TYPES = ['open', 'link', 'rating', 'single_choice', 'multiple_choice'];
const CONTENT_TYPES = ['text', 'html'];
const MAIL = /^mailto:[^\s@?]+@[^\s@?]+\.[^\s@?]+(?:\?\S*)?$/;

/** Every question gets an id, by which its answers are found whatever becomes of the order. */
export function checkQuestions(given: unknown): Dict[] | null {
  if (given === null) return null;
  if (!Array.isArray(given) || !given.every(isDict)) throw refuse('Questions must be a list of objects');
  return given.map(checkQuestion);
}

const refuse = (detail: string, attr = 'questions') => invalid(detail, attr);

function checkQuestion(question: Dict): Dict {
  const { type, question: asked, description, descriptionContentType, choices, link } = question;
  if (typeof asked !== 'string' || asked.trim() === '') throw refuse('Question text is required');
  if (!QUESTION_TYPES.includes(type as string))
    throw refuse(`Question type must be one of: ${QUESTION_TYPES.join(', ')}`);
  if (descriptionContentType !== undefined && !CONTENT_TYPES.includes(descriptionContentType as string)) {
    throw refuse(`Question descriptionContentType must be one of: ${CONTENT_TYPES.join(', ')}`);
  }
  if (choices !== undefined && choices !== null) checkChoices(choices);
  if (link !== undefined && link !== null && link !== '') checkLink(link);
  return {
    ...question,
    id: parseUuid(String(question.id)) ?? randomUUID(),
    question: sanitizeHtml(asked),
    ...(typeof description === 'string' && { description: sanitizeHtml(description) }),
  };
}

function checkChoices(choices: unknown): void {
  if (!Array.isArray(choices) || !choices.every((choice) => typeof choice === 'string')) {
    throw refuse('Question choices must be a list of strings');
  }
  if (choices.length === 0 || choices.some((choice) => choice.trim() === '')) {
    throw refuse('Question choices cannot be empty');
  }
}

function checkLink(link: unknown): void {
  const text = typeof link === 'string' ? link : '';
  if (text.startsWith('mailto:')) {
    if (MAIL.test(text)) return;
    throw refuse('Invalid mailto link. Please enter a valid mailto link (e.g., mailto:example@domain.com).');
  }
  if (!text.startsWith('https:')) throw refuse('Link must be a URL with one of these schemes: [https, mailto]');
  if (!URL.canParse(text) || !new URL(text).hostname.includes('.')) {
    throw refuse('Invalid HTTPS URL. Please enter a valid HTTPS link.');
  }
}

const THANKS = ['thankYouMessageHeader', 'thankYouMessageDescription'];

export function checkAppearance(given: unknown): Dict | null {
  if (given === null) return null;
  if (!isDict(given)) throw refuse('Appearance must be an object', 'appearance');
  const cleaned = THANKS.flatMap((name) => {
    const text = given[name];
    return typeof text === 'string' ? [[name, sanitizeHtml(text)] as const] : [];
  });
  return { ...given, ...Object.fromEntries(cleaned) };
}

export function checkConditions(given: unknown): Dict | null {
  if (given === null || isDict(given)) return given;
  throw refuse('Conditions must be an object', 'conditions');
}

/** Targeting that leaves nobody out is most likely a slip, and costs every visitor a flag. */
export function checkTargeting(filters: Dict): void {
  const { conditions } = readFilters({ id: 0, key: '', active: true, deleted: false, filters });
  const isForAll = conditions.some(
    ({ properties, rollout_percentage }) => properties.length === 0 && (rollout_percentage ?? 100) >= 100,
  );
  if (!isForAll) return;
  throw invalid(
    'Invalid operation: User targeting rolls out to everyone. If you want to roll out to everyone, delete this targeting',
    null,
    'invalid',
  );
}
