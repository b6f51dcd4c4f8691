// Many small questions to a database, asked as few large ones.

export interface CoalesceLimits {
  /** Large questions under way at once; while there are so many, new small ones gather. */
  runningMax: number;
  questionsMax: number;
}

interface Waiting<Question, Answer> {
  question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** `ask` answers questions in their order. Whatever is asked in one turn of the event loop goes together. */
export function coalesce<Question, Answer>(
  ask: (questions: Question[]) => Promise<Answer[]>,
  { runningMax, questionsMax }: CoalesceLimits,
): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = [];
  let running = 0;
  let isScheduled = false;

  const run = async (batch: Waiting<Question, Answer>[]) => {
    try {
      const answers = await ask(batch.map(({ question }) => question));
      batch.forEach(({ resolve }, at) => {
        resolve(answers[at] as Answer);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  const start = () => {
    isScheduled = false;
    while (waiting.length > 0 && running < runningMax) {
      running += 1;
      void run(waiting.splice(0, questionsMax)).then(() => {
        running -= 1;
        start();
      });
    }
  };

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (isScheduled || running >= runningMax) return;
      isScheduled = true;
      setImmediate(start);
    });
}
