import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { showProgress } from './progress.ts';

function watch(isTTY: boolean) {
  const written: string[] = [];
  const progress = showProgress({ isTTY, write: (text: string | Uint8Array) => written.push(String(text)) > 0 });
  return { progress, written };
}

test('a quick step leaves no line, a slow one says what is being done', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const { progress, written } = watch(false);

    progress.begin('something quick');
    mock.timers.tick(100);
    progress.begin('something slow');
    mock.timers.tick(5_000);
    progress.end();

    assert.deepEqual(written, ['something slow …\n']);
    assert.deepEqual(
      progress.steps.map(({ step }) => step),
      ['something quick', 'something slow'],
    );
  } finally {
    mock.timers.reset();
  }
});

test('on a terminal the line is wiped when the step ends', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const { progress, written } = watch(true);

    progress.begin('something slow');
    mock.timers.tick(5_000);
    progress.end();

    assert.deepEqual(written, ['something slow …', '\r\x1b[K']);
  } finally {
    mock.timers.reset();
  }
});
