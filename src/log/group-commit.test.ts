import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GroupCommit } from './group-commit.ts';

/** A store of words whose transactions the test lets through, or fails, one at a time. */
function openWords() {
  const transactions: { words: string[]; finish(error?: Error): void }[] = [];
  const commits = new GroupCommit<string[]>((fill) => {
    const words: string[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    queueMicrotask(() => fill(words));
    transactions.push({ words, finish: (error) => (error ? reject(error) : resolve()) });
    return promise;
  });
  const write = (word: string, bytes = 1) => commits.run(bytes, (words) => words.push(word));
  return { commits, transactions, write };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('changes that come during a commit share the next one, in order', async () => {
  const { commits, transactions, write } = openWords();
  const first = write('a');
  await turn();
  const others = [write('b'), write('c'), write('d')];
  transactions[0]!.finish();
  await first;
  await turn();
  transactions[1]!.finish();

  assert.deepEqual(await Promise.all(others), [1, 2, 3]);
  assert.deepEqual(
    transactions.map(({ words }) => words),
    [['a'], ['b', 'c', 'd']],
  );
  assert.equal(commits.bytesWaiting, 0);
});

test('nothing resolves before its transaction is durable', async () => {
  const { transactions, write } = openWords();
  let settled = false;
  const written = write('a').then(() => {
    settled = true;
  });
  await turn();
  assert.deepEqual(transactions[0]!.words, ['a']);
  assert.equal(settled, false);
  transactions[0]!.finish();
  await written;
});

test('a change that throws fails alone', async () => {
  const { commits, transactions, write } = openWords();
  const good = write('a');
  const bad = commits.run(1, () => {
    throw new Error('refused');
  });
  await turn();
  transactions[0]!.finish();

  assert.equal(await good, 1);
  await assert.rejects(bad, /refused/);
});

test('a transaction that fails, fails all its changes, and later ones go on', async () => {
  const { commits, transactions, write } = openWords();
  const lost = [write('a'), write('b')];
  const rejected = Promise.all(lost.map((change) => assert.rejects(change, /disk/)));
  await turn();
  transactions[0]!.finish(new Error('disk'));
  await rejected;
  const later = write('c');
  await turn();
  transactions[1]!.finish();

  assert.equal(await later, 1);
  assert.equal(commits.bytesWaiting, 0);
});

test('a transaction that cannot be opened fails its changes instead of trying for ever', async () => {
  const commits = new GroupCommit<string[]>(() => Promise.reject(new Error('no disk')));

  await assert.rejects(
    commits.run(1, (words) => words.push('a')),
    /no disk/,
  );
  await commits.idle();
});

test('a large change does not take the small ones behind it into its transaction', async () => {
  const { transactions, write } = openWords();
  const changes = [write('large', 20_000_000), write('small')];
  await turn();
  transactions[0]!.finish();
  await turn();
  transactions[1]!.finish();
  await Promise.all(changes);

  assert.deepEqual(
    transactions.map(({ words }) => words),
    [['large'], ['small']],
  );
});
