// A survey as somebody writes it, and what would be refused about it. Pure.
import type { Question, QuestionType, Survey, SurveyDraft } from '../../api/use-surveys.ts';

export const questionTypes: readonly { value: QuestionType; label: string }[] = [
  { value: 'open', label: 'Free text' },
  { value: 'rating', label: 'Rating' },
  { value: 'single_choice', label: 'One of several' },
  { value: 'multiple_choice', label: 'Any of several' },
  { value: 'link', label: 'A link to follow' },
];

export const newQuestion = (): Question => ({ type: 'open', question: '' });

export const newSurvey = (): SurveyDraft => ({
  name: '',
  description: '',
  type: 'popover',
  questions: [newQuestion()],
  conditions: null,
  linked_flag_id: null,
  responses_limit: null,
});

export function toDraft(survey: Survey): SurveyDraft {
  const { name, description, type, questions, conditions, linked_flag_id, responses_limit } = survey;
  return { name, description, type, questions, conditions, linked_flag_id, responses_limit };
}

/** What a question of this type has besides its text. */
export function withType(question: Question, type: QuestionType): Question {
  const { choices: _choices, scale: _scale, display: _display, link: _link, ...common } = question;
  switch (type) {
    case 'rating':
      return { ...common, type, scale: question.scale ?? 5, display: question.display ?? 'number' };
    case 'single_choice':
    case 'multiple_choice':
      return { ...common, type, choices: question.choices ?? ['Yes', 'No'] };
    case 'link':
      return { ...common, type, link: question.link ?? 'https://' };
    default:
      return { ...common, type };
  }
}

/** The first thing that keeps the survey from being saved; undefined when nothing does. */
export function findMistake({ name, questions }: SurveyDraft): string | undefined {
  if (name.trim() === '') return 'Give it a name.';
  if (!questions || questions.length === 0) return 'Ask at least one question.';
  for (const [index, { question, type, choices = [] }] of questions.entries()) {
    if (question.trim() === '') return `Question ${index + 1} has no text.`;
    const isChoice = type === 'single_choice' || type === 'multiple_choice';
    if (isChoice && choices.length < 2) return `Question ${index + 1} needs at least two choices.`;
  }
  return undefined;
}
