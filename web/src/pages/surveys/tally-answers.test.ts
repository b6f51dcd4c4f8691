import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredEvent } from '../../api/use-events.ts';
import { tallyAnswers } from './tally-answers.ts';

const answer = (properties: Record<string, unknown>) => ({ properties }) as StoredEvent;

test('choices are counted in the order of the question, what others wrote after them', () => {
  const [tally] = tallyAnswers(
    [{ id: 'q', type: 'multiple_choice', question: '?', choices: ['a', 'b'] }],
    [answer({ $survey_response_q: ['b', 'else'] }), answer({ $survey_response_q: ['b'] }), answer({})],
  );

  assert.equal(tally?.answers, 2);
  assert.deepEqual(tally?.counts, [
    { label: 'a', count: 0 },
    { label: 'b', count: 2 },
    { label: 'else', count: 1 },
  ]);
});

test('ratings have an average, and answers of older SDKs are found by their place', () => {
  const questions = [
    { id: 'x', type: 'open' as const, question: '?' },
    { id: 'y', type: 'rating' as const, question: '?', scale: 3 },
  ];
  const [texts, ratings] = tallyAnswers(questions, [
    answer({ $survey_response: 'fine', $survey_response_1: '3' }),
    answer({ $survey_response_y: 2 }),
  ]);

  assert.deepEqual(
    texts?.texts.map(({ text }) => text),
    ['fine'],
  );
  assert.equal(ratings?.average, 2.5);
  assert.deepEqual(
    ratings?.counts.map(({ count }) => count),
    [0, 1, 1],
  );
});

test('an answer that was sent in parts counts once, as it was last', () => {
  const [tally] = tallyAnswers(
    [{ id: 'q', type: 'single_choice', question: '?', choices: ['a', 'b'] }],
    [
      answer({ $survey_response_q: 'b', $survey_submission_id: 's' }),
      answer({ $survey_response_q: 'a', $survey_submission_id: 's' }),
    ],
  );

  assert.deepEqual(tally?.counts, [
    { label: 'a', count: 0 },
    { label: 'b', count: 1 },
  ]);
});
