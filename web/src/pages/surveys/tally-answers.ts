// Events of a survey → what was answered to each question. Pure.
import type { StoredEvent } from '../../api/use-events.ts';
import type { Question } from '../../api/use-surveys.ts';

export interface Tally {
  question: Question;
  /** How many answered it. */
  answers: number;
  /** How often each was chosen, in the order of the question; empty for questions without choices. */
  counts: { label: string; count: number }[];
  /** Of ratings. */
  average: number | null;
  /** Of open questions, newest first. */
  texts: { text: string; event: StoredEvent }[];
}

type Properties = Readonly<Record<string, unknown>>;

/** Newer SDKs name the question, older ones its place. */
function answerOf(properties: Properties, { id }: Question, index: number): unknown {
  const named = id === undefined ? undefined : properties[`$survey_response_${id}`];
  return named ?? properties[index === 0 ? '$survey_response' : `$survey_response_${index}`];
}

const isAnswered = (answer: unknown) =>
  answer !== undefined && answer !== null && answer !== '' && !(Array.isArray(answer) && answer.length === 0);

/** An answer that was sent in parts stands in several events; the newest holds all of it. */
function latestOnly(events: readonly StoredEvent[]): StoredEvent[] {
  const seen = new Set<unknown>();
  return events.filter(({ properties: { $survey_submission_id: submission } }) => {
    if (submission === undefined) return true;
    const isNew = !seen.has(submission);
    seen.add(submission);
    return isNew;
  });
}

function count(labels: readonly string[], answers: readonly unknown[]): Tally['counts'] {
  const counts = new Map(labels.map((label) => [label, 0]));
  for (const answer of answers.flat()) counts.set(String(answer), (counts.get(String(answer)) ?? 0) + 1);
  return [...counts].map(([label, number]) => ({ label, count: number }));
}

const ratingLabels = (scale = 5) =>
  Array.from({ length: scale === 10 ? 11 : scale }, (_, at) => String(scale === 10 ? at : at + 1));

export function tallyAnswers(questions: readonly Question[], events: readonly StoredEvent[]): Tally[] {
  const latest = latestOnly(events);
  return questions.map((question, index) => {
    const answered = latest
      .map((event) => ({ event, answer: answerOf(event.properties, question, index) }))
      .filter(({ answer }) => isAnswered(answer));
    const answers = answered.map(({ answer }) => answer);
    const common = { question, answers: answers.length, average: null, counts: [], texts: [] };
    switch (question.type) {
      case 'rating': {
        const numbers = answers.map(Number).filter(Number.isFinite);
        const sum = numbers.reduce((total, each) => total + each, 0);
        const average = numbers.length === 0 ? null : sum / numbers.length;
        return { ...common, average, counts: count(ratingLabels(question.scale), answers) };
      }
      case 'single_choice':
      case 'multiple_choice':
        return { ...common, counts: count(question.choices ?? [], answers) };
      default:
        return { ...common, texts: answered.map(({ event, answer }) => ({ text: String(answer), event })) };
    }
  });
}
